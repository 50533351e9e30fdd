// A connection to an MQTT broker by libmosquitto (Debian libmosquitto1, 2.0).
//
// The library is opened by mqtt_load, not linked: a process that only listens must not pay for it.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { mqtt_reason_size = 256 };

// Opens the library on the first call. Returns NULL, or the loader's reason.
const char *mqtt_load(void);

typedef struct mqtt_client mqtt_client;

typedef struct {
  const char *host;
  int port;
  bool is_secure;
  // A file of certificates to trust instead of the system's; NULL for those.
  const char *authorities;
  // NULL for none.
  const char *user;
  const char *password;
  // What the broker publishes, retained, when the connection breaks; NULL for nothing.
  const char *will_topic;
  const char *will;
} mqtt_address;

// Called by mqtt_loop alone, on its thread.
typedef struct {
  void *context;
  // The broker's answer to a connection: 0 accepts, else `reason` tells why not.
  void (*answered)(void *context, int answer, const char *reason);
  // The broker has one more of the messages.
  void (*published)(void *context);
  void (*heard)(void *context, const char *topic, const uint8_t *payload, size_t size);
} mqtt_listener;

// A client that is not connected yet. Returns NULL and fills `reason` where something is refused.
mqtt_client *mqtt_open(const mqtt_address *address, mqtt_listener listener, char reason[mqtt_reason_size]);

// Says goodbye, so that there is no will.
void mqtt_disconnect(mqtt_client *client);

// Says goodbye and frees.
void mqtt_close(mqtt_client *client);

// Begins to connect, also after a connection broke. Returns 0, or a code for mqtt_words.
int mqtt_connect(mqtt_client *client);

// Sends, receives and calls the listener for so long at most. Returns 0, or a code when there is no connection (any more).
int mqtt_loop(mqtt_client *client, int milliseconds);

// Asks for the messages of a topic, quality of service 1.
int mqtt_subscribe(mqtt_client *client, const char *topic);

// Any thread may call it, at any time: the message waits for the connection (quality of service 1), also for the next one.
int mqtt_publish(mqtt_client *client, const char *topic, const uint8_t *payload, size_t size, bool is_retained);

const char *mqtt_words(int code);
