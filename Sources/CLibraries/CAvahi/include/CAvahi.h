// One service announced by the Avahi daemon through libavahi-client (Debian libavahi-client3, 0.8).
//
// The library is opened by avahi_load, not linked: only who announces something needs it.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { avahi_reason_size = 256 };

// Opens the library on the first call. Returns NULL, or the loader's reason.
const char *avahi_load(void);

typedef struct avahi_announcement avahi_announcement;

// Called on a thread of the library: with true and the name once it is announced (another name than was asked for where
// that is taken), with false and a reason when it cannot be.
typedef void (*avahi_callback)(void *context, bool is_announced, const char *text);

// Begins to announce `name` (at most 63 bytes) of `type` at `port` of this host. NULL, and `reason`, without a daemon.
avahi_announcement *avahi_announce(
    const char *name, const char *type, uint16_t port, avahi_callback callback, void *context,
    char reason[avahi_reason_size]);
// Announces anew where the daemon has been started again; to be called now and then.
void avahi_tend(avahi_announcement *announcement);
void avahi_withdraw(avahi_announcement *announcement);
