// One service announced by the Avahi daemon through libavahi-client (Debian libavahi-client3, 0.8).
//
// avahi_load opens the library, which is not linked: a process that announces nothing does not map it.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { avahi_reason_size = 256 };

// Opens the library at the first call. Returns NULL, or why it cannot be used.
const char *avahi_load(void);

// Whether the daemon is running; if not, fills `reason`.
bool avahi_check(char reason[avahi_reason_size]);

typedef struct avahi_announcement avahi_announcement;

// Called on a thread of the library: with true and the name once the service is announced (an alternative name where the
// requested one is taken), with false and a reason when it cannot be announced.
typedef void (*avahi_callback)(void *context, bool is_announced, const char *text);

// Begins to announce `name` (up to 63 bytes) of `type` at `port` of this host, with `record_count` texts of the form KEY=VALUE.
// Returns NULL and fills `reason` without a daemon.
avahi_announcement *avahi_announce(
    const char *name, const char *type, uint16_t port, const char *const *records, int record_count, avahi_callback callback, void *context,
    char reason[avahi_reason_size]);
// Announces the service again after the daemon has restarted; call it every second or so.
void avahi_refresh(avahi_announcement *announcement);
void avahi_withdraw(avahi_announcement *announcement);
