// A connection to an MQTT broker by libmosquitto (Debian libmosquitto1, 2.0).
//
// mqtt_load opens the library, which is not linked: a process without MQTT does not map it.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { mqtt_reason_size = 256 };

// Opens the library at the first call. Returns NULL, or why it cannot be used.
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
  // The broker's answer to a connection: 0 accepts it; otherwise `reason` states why not.
  void (*answered)(void *context, int answer, const char *reason);
  // The broker has acknowledged a message.
  void (*published)(void *context);
  void (*received)(void *context, const char *topic, const uint8_t *payload, size_t size, bool is_retained);
} mqtt_listener;

// A client that is not connected yet. Returns NULL and fills `reason` when the library rejects an option.
mqtt_client *mqtt_open(const mqtt_address *address, mqtt_listener listener, char reason[mqtt_reason_size]);

// Disconnects in order: the broker does not publish the will.
void mqtt_disconnect(mqtt_client *client);

// Disconnects in order and frees the client.
void mqtt_close(mqtt_client *client);

// Begins to connect, also after a connection was lost. Returns 0, or a code for mqtt_error_text.
int mqtt_connect(mqtt_client *client);

// Sends, receives and calls the listener for up to `milliseconds`. Returns 0, or a code when there is no connection.
int mqtt_loop(mqtt_client *client, int milliseconds);

// Subscribes to a topic with quality of service 1.
int mqtt_subscribe(mqtt_client *client, const char *topic);

// Queues a message with quality of service 1: it is sent on this connection or the next. Any thread, at any time.
int mqtt_publish(mqtt_client *client, const char *topic, const uint8_t *payload, size_t size, bool is_retained);

const char *mqtt_error_text(int code);
