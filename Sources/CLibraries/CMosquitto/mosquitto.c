#define _GNU_SOURCE
#include "CMosquitto.h"

#include <dlfcn.h>
#include <errno.h>
#include <mosquitto.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
  __typeof__(mosquitto_lib_init) *lib_init;
  __typeof__(mosquitto_new) *new;
  __typeof__(mosquitto_destroy) *destroy;
  __typeof__(mosquitto_username_pw_set) *username_pw_set;
  __typeof__(mosquitto_tls_set) *tls_set;
  __typeof__(mosquitto_int_option) *int_option;
  __typeof__(mosquitto_threaded_set) *threaded_set;
  __typeof__(mosquitto_will_set) *will_set;
  __typeof__(mosquitto_connect_async) *connect_async;
  __typeof__(mosquitto_reconnect_async) *reconnect_async;
  __typeof__(mosquitto_loop) *loop;
  __typeof__(mosquitto_subscribe) *subscribe;
  __typeof__(mosquitto_publish) *publish;
  __typeof__(mosquitto_disconnect) *disconnect;
  __typeof__(mosquitto_connect_callback_set) *connect_callback_set;
  __typeof__(mosquitto_publish_callback_set) *publish_callback_set;
  __typeof__(mosquitto_message_callback_set) *message_callback_set;
  const char *(*error_string)(int);
  const char *(*connack_string)(int);
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char load_reason[mqtt_reason_size];

static void open_library(void) {
  void *handle = dlopen("libmosquitto.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *text = dlerror();
    snprintf(load_reason, sizeof load_reason, "%s", text ? text : "unknown");
    return;
  }
#define FIND(field, name)                                                    \
  if (!(*(void **)&library.field = dlsym(handle, name)) && !load_reason[0]) \
  snprintf(load_reason, sizeof load_reason, "it has no %s", name)
  FIND(lib_init, "mosquitto_lib_init");
  FIND(new, "mosquitto_new");
  FIND(destroy, "mosquitto_destroy");
  FIND(username_pw_set, "mosquitto_username_pw_set");
  FIND(tls_set, "mosquitto_tls_set");
  FIND(int_option, "mosquitto_int_option");
  FIND(threaded_set, "mosquitto_threaded_set");
  FIND(will_set, "mosquitto_will_set");
  FIND(connect_async, "mosquitto_connect_async");
  FIND(reconnect_async, "mosquitto_reconnect_async");
  FIND(loop, "mosquitto_loop");
  FIND(subscribe, "mosquitto_subscribe");
  FIND(publish, "mosquitto_publish");
  FIND(disconnect, "mosquitto_disconnect");
  FIND(connect_callback_set, "mosquitto_connect_callback_set");
  FIND(publish_callback_set, "mosquitto_publish_callback_set");
  FIND(message_callback_set, "mosquitto_message_callback_set");
  FIND(error_string, "mosquitto_strerror");
  FIND(connack_string, "mosquitto_connack_string");
#undef FIND
  if (!load_reason[0]) library.lib_init();
}

const char *mqtt_load(void) {
  pthread_once(&once, open_library);
  return load_reason[0] ? load_reason : NULL;
}

struct mqtt_client {
  struct mosquitto *mosquitto;
  mqtt_listener listener;
  char *host;
  int port;
  bool was_connected;
};

// Seconds of silence after which the broker is asked whether it is there.
enum { keep_alive = 20 };

static void answered(struct mosquitto *mosquitto, void *context, int answer) {
  (void)mosquitto;
  mqtt_client *client = context;
  client->listener.answered(client->listener.context, answer, library.connack_string(answer));
}

static void published(struct mosquitto *mosquitto, void *context, int id) {
  (void)mosquitto;
  (void)id;
  mqtt_client *client = context;
  client->listener.published(client->listener.context);
}

static void heard(struct mosquitto *mosquitto, void *context, const struct mosquitto_message *message) {
  (void)mosquitto;
  mqtt_client *client = context;
  client->listener.heard(
      client->listener.context, message->topic, message->payload, (size_t)message->payloadlen);
}

const char *mqtt_words(int code) {
  return code == MOSQ_ERR_ERRNO ? strerror(errno) : library.error_string(code);
}

mqtt_client *mqtt_open(const mqtt_address *address, mqtt_listener listener, char reason[mqtt_reason_size]) {
  mqtt_client *client = calloc(1, sizeof *client);
  client->listener = listener;
  client->host = strdup(address->host);
  client->port = address->port;
  client->mosquitto = library.new(NULL, true, client);
  int code = client->mosquitto ? library.threaded_set(client->mosquitto, true) : MOSQ_ERR_ERRNO;
  if (code == MOSQ_ERR_SUCCESS && address->user) {
    code = library.username_pw_set(client->mosquitto, address->user, address->password);
  }
  if (code == MOSQ_ERR_SUCCESS && address->is_secure) {
    code = address->authorities
               ? library.tls_set(client->mosquitto, address->authorities, NULL, NULL, NULL, NULL)
               : library.int_option(client->mosquitto, MOSQ_OPT_TLS_USE_OS_CERTS, 1);
  }
  if (code == MOSQ_ERR_SUCCESS && address->will_topic) {
    code = library.will_set(
        client->mosquitto, address->will_topic, (int)strlen(address->will), address->will, 1, true);
  }
  if (code != MOSQ_ERR_SUCCESS) {
    snprintf(reason, mqtt_reason_size, "%s", mqtt_words(code));
    mqtt_close(client);
    return NULL;
  }
  library.connect_callback_set(client->mosquitto, answered);
  library.publish_callback_set(client->mosquitto, published);
  library.message_callback_set(client->mosquitto, heard);
  return client;
}

void mqtt_disconnect(mqtt_client *client) {
  if (library.disconnect(client->mosquitto) == MOSQ_ERR_SUCCESS) library.loop(client->mosquitto, 100, 1);
}

void mqtt_close(mqtt_client *client) {
  if (client->mosquitto) {
    mqtt_disconnect(client);
    library.destroy(client->mosquitto);
  }
  free(client->host);
  free(client);
}

int mqtt_connect(mqtt_client *client) {
  if (client->was_connected) return library.reconnect_async(client->mosquitto);
  client->was_connected = true;
  return library.connect_async(client->mosquitto, client->host, client->port, keep_alive);
}

int mqtt_loop(mqtt_client *client, int milliseconds) {
  return library.loop(client->mosquitto, milliseconds, 1);
}

int mqtt_subscribe(mqtt_client *client, const char *topic) {
  return library.subscribe(client->mosquitto, NULL, topic, 1);
}

int mqtt_publish(mqtt_client *client, const char *topic, const uint8_t *payload, size_t size, bool is_retained) {
  int code = library.publish(client->mosquitto, NULL, topic, (int)size, payload, 1, is_retained);
  return code == MOSQ_ERR_NO_CONN ? MOSQ_ERR_SUCCESS : code;
}
