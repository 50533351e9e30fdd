// One message to an MQTT broker by libmosquitto (Debian libmosquitto1, 2.0), behind two functions.
//
// The library is opened by mqtt_load, not linked: a process that only listens must not pay for it.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
  mqtt_done,
  mqtt_cancelled,
  mqtt_timed_out,
  mqtt_unreachable,
  mqtt_refused,
  mqtt_failed,
} mqtt_ending;

enum { mqtt_reason_size = 256 };

// Opens the library on the first call. Returns NULL, or the loader's reason.
const char *mqtt_load(void);

// Asked about every 50 ms; true gives up.
typedef bool (*mqtt_cancelled_callback)(void *context);

typedef struct {
  const char *host;
  int port;
  bool is_secure;
  // A file of certificates to trust instead of the system's; NULL for those.
  const char *authorities;
  // NULL for none.
  const char *user;
  const char *password;
  const char *topic;
  const uint8_t *payload;
  size_t payload_size;
  double seconds;
} mqtt_message;

// Connects, publishes with quality of service 1, and waits until the broker has it.
// `reason` is filled unless the ending is mqtt_done.
mqtt_ending mqtt_publish(
    const mqtt_message *message, mqtt_cancelled_callback cancelled, void *context,
    char reason[mqtt_reason_size]);
