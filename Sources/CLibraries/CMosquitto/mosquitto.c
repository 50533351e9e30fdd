#include "CMosquitto.h"

#include <errno.h>
#include <mosquitto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CDynamicLibrary.h"

#define FUNCTIONS(DO)                                                                                      \
  DO(mosquitto_lib_init) DO(mosquitto_new) DO(mosquitto_destroy) DO(mosquitto_username_pw_set)             \
  DO(mosquitto_tls_set) DO(mosquitto_int_option) DO(mosquitto_threaded_set) DO(mosquitto_will_set)         \
  DO(mosquitto_connect_async) DO(mosquitto_reconnect_async) DO(mosquitto_loop) DO(mosquitto_subscribe)     \
  DO(mosquitto_publish) DO(mosquitto_disconnect) DO(mosquitto_connect_callback_set)                        \
  DO(mosquitto_publish_callback_set) DO(mosquitto_message_callback_set) DO(mosquitto_strerror)             \
  DO(mosquitto_connack_string)

static const char *start(void);

DYNAMIC_LIBRARY(library, "libmosquitto.so.1", FUNCTIONS, start)

static const char *start(void) {
  return library.mosquitto_lib_init() == MOSQ_ERR_SUCCESS ? NULL : "mosquitto_lib_init failed";
}

const char *mqtt_load(void) { return dynamic_library_load(&library_loader); }

struct mqtt_client {
  struct mosquitto *mosquitto;
  mqtt_listener listener;
  char *host;
  int port;
  bool was_connected;
};

// Seconds without traffic after which the broker is pinged.
enum { keep_alive = 20 };

static void answered(struct mosquitto *mosquitto, void *context, int answer) {
  (void)mosquitto;
  mqtt_client *client = context;
  client->listener.answered(client->listener.context, answer, library.mosquitto_connack_string(answer));
}

static void published(struct mosquitto *mosquitto, void *context, int id) {
  (void)mosquitto;
  (void)id;
  mqtt_client *client = context;
  client->listener.published(client->listener.context);
}

static void received(struct mosquitto *mosquitto, void *context, const struct mosquitto_message *message) {
  (void)mosquitto;
  mqtt_client *client = context;
  client->listener.received(
      client->listener.context, message->topic, message->payload, (size_t)message->payloadlen, message->retain);
}

const char *mqtt_error_text(int code) {
  return code == MOSQ_ERR_ERRNO ? strerror(errno) : library.mosquitto_strerror(code);
}

mqtt_client *mqtt_open(const mqtt_address *address, mqtt_listener listener, char reason[mqtt_reason_size]) {
  mqtt_client *client = calloc(1, sizeof *client);
  client->listener = listener;
  client->host = strdup(address->host);
  client->port = address->port;
  client->mosquitto = library.mosquitto_new(NULL, true, client);
  int code = client->mosquitto ? library.mosquitto_threaded_set(client->mosquitto, true) : MOSQ_ERR_ERRNO;
  if (code == MOSQ_ERR_SUCCESS && address->user) {
    code = library.mosquitto_username_pw_set(client->mosquitto, address->user, address->password);
  }
  if (code == MOSQ_ERR_SUCCESS && address->is_secure) {
    code = address->authorities
               ? library.mosquitto_tls_set(client->mosquitto, address->authorities, NULL, NULL, NULL, NULL)
               : library.mosquitto_int_option(client->mosquitto, MOSQ_OPT_TLS_USE_OS_CERTS, 1);
  }
  if (code == MOSQ_ERR_SUCCESS && address->will_topic) {
    code = library.mosquitto_will_set(
        client->mosquitto, address->will_topic, (int)strlen(address->will), address->will, 1, true);
  }
  if (code != MOSQ_ERR_SUCCESS) {
    snprintf(reason, mqtt_reason_size, "%s", mqtt_error_text(code));
    mqtt_close(client);
    return NULL;
  }
  library.mosquitto_connect_callback_set(client->mosquitto, answered);
  library.mosquitto_publish_callback_set(client->mosquitto, published);
  library.mosquitto_message_callback_set(client->mosquitto, received);
  return client;
}

void mqtt_disconnect(mqtt_client *client) {
  if (library.mosquitto_disconnect(client->mosquitto) == MOSQ_ERR_SUCCESS) library.mosquitto_loop(client->mosquitto, 100, 1);
}

void mqtt_close(mqtt_client *client) {
  if (client->mosquitto) {
    mqtt_disconnect(client);
    library.mosquitto_destroy(client->mosquitto);
  }
  free(client->host);
  free(client);
}

int mqtt_connect(mqtt_client *client) {
  if (client->was_connected) return library.mosquitto_reconnect_async(client->mosquitto);
  client->was_connected = true;
  return library.mosquitto_connect_async(client->mosquitto, client->host, client->port, keep_alive);
}

int mqtt_loop(mqtt_client *client, int milliseconds) {
  return library.mosquitto_loop(client->mosquitto, milliseconds, 1);
}

int mqtt_subscribe(mqtt_client *client, const char *topic) {
  return library.mosquitto_subscribe(client->mosquitto, NULL, topic, 1);
}

int mqtt_publish(mqtt_client *client, const char *topic, const uint8_t *payload, size_t size, bool is_retained) {
  int code = library.mosquitto_publish(client->mosquitto, NULL, topic, (int)size, payload, 1, is_retained);
  return code == MOSQ_ERR_NO_CONN ? MOSQ_ERR_SUCCESS : code;
}
