#define _GNU_SOURCE
#include "CMosquitto.h"

#include <dlfcn.h>
#include <errno.h>
#include <mosquitto.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static struct {
  __typeof__(mosquitto_lib_init) *lib_init;
  __typeof__(mosquitto_new) *new;
  __typeof__(mosquitto_destroy) *destroy;
  __typeof__(mosquitto_username_pw_set) *username_pw_set;
  __typeof__(mosquitto_tls_set) *tls_set;
  __typeof__(mosquitto_int_option) *int_option;
  __typeof__(mosquitto_connect_async) *connect_async;
  __typeof__(mosquitto_loop) *loop;
  __typeof__(mosquitto_publish) *publish;
  __typeof__(mosquitto_disconnect) *disconnect;
  __typeof__(mosquitto_connect_callback_set) *connect_callback_set;
  __typeof__(mosquitto_publish_callback_set) *publish_callback_set;
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
  FIND(connect_async, "mosquitto_connect_async");
  FIND(loop, "mosquitto_loop");
  FIND(publish, "mosquitto_publish");
  FIND(disconnect, "mosquitto_disconnect");
  FIND(connect_callback_set, "mosquitto_connect_callback_set");
  FIND(publish_callback_set, "mosquitto_publish_callback_set");
  FIND(error_string, "mosquitto_strerror");
  FIND(connack_string, "mosquitto_connack_string");
#undef FIND
  if (!load_reason[0]) library.lib_init();
}

const char *mqtt_load(void) {
  pthread_once(&once, open_library);
  return load_reason[0] ? load_reason : NULL;
}

typedef struct {
  const mqtt_message *message;
  // The broker's answer to the connection; -1 before it.
  int answer;
  int result;
  bool is_published;
} exchange;

static void connected(struct mosquitto *client, void *context, int answer) {
  exchange *with = context;
  with->answer = answer;
  if (answer != 0) return;
  const mqtt_message *message = with->message;
  with->result = library.publish(
      client, NULL, message->topic, (int)message->payload_size, message->payload, 1, false);
}

static void published(struct mosquitto *client, void *context, int id) {
  (void)client;
  (void)id;
  ((exchange *)context)->is_published = true;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static const char *words(int code) {
  return code == MOSQ_ERR_ERRNO ? strerror(errno) : library.error_string(code);
}

static mqtt_ending converse(
    struct mosquitto *client, exchange *with, mqtt_cancelled_callback cancelled, void *context,
    char reason[mqtt_reason_size]) {
  double deadline = now() + with->message->seconds;
  int code = library.connect_async(client, with->message->host, with->message->port, 60);
  while (code == MOSQ_ERR_SUCCESS && with->result == MOSQ_ERR_SUCCESS && with->answer <= 0) {
    if (with->is_published) {
      library.disconnect(client);
      return mqtt_done;
    }
    if (cancelled(context)) return mqtt_cancelled;
    if (now() >= deadline) return mqtt_timed_out;
    code = library.loop(client, 50, 1);
  }
  if (with->answer > 0) {
    snprintf(reason, mqtt_reason_size, "%s", library.connack_string(with->answer));
    return mqtt_refused;
  }
  if (with->is_published) return mqtt_done;
  snprintf(reason, mqtt_reason_size, "%s", words(code != MOSQ_ERR_SUCCESS ? code : with->result));
  return with->answer < 0 ? mqtt_unreachable : mqtt_failed;
}

mqtt_ending mqtt_publish(
    const mqtt_message *message, mqtt_cancelled_callback cancelled, void *context,
    char reason[mqtt_reason_size]) {
  exchange with = {.message = message, .answer = -1};
  struct mosquitto *client = library.new(NULL, true, &with);
  if (!client) {
    snprintf(reason, mqtt_reason_size, "%s", strerror(errno));
    return mqtt_failed;
  }
  library.connect_callback_set(client, connected);
  library.publish_callback_set(client, published);
  int code = message->user ? library.username_pw_set(client, message->user, message->password) : MOSQ_ERR_SUCCESS;
  if (code == MOSQ_ERR_SUCCESS && message->is_secure) {
    code = message->authorities
               ? library.tls_set(client, message->authorities, NULL, NULL, NULL, NULL)
               : library.int_option(client, MOSQ_OPT_TLS_USE_OS_CERTS, 1);
  }
  mqtt_ending ending = mqtt_failed;
  if (code == MOSQ_ERR_SUCCESS) {
    ending = converse(client, &with, cancelled, context, reason);
  } else {
    snprintf(reason, mqtt_reason_size, "%s", words(code));
  }
  library.destroy(client);
  return ending;
}
