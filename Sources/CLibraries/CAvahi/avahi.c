#include "CAvahi.h"

#include <avahi-client/client.h>
#include <avahi-client/publish.h>
#include <avahi-common/alternative.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/strlst.h>
#include <avahi-common/thread-watch.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CDynamicLibrary.h"

#define COMMON_FUNCTIONS(DO)                                                                     \
  DO(avahi_threaded_poll_new) DO(avahi_threaded_poll_get) DO(avahi_threaded_poll_start)          \
  DO(avahi_threaded_poll_stop) DO(avahi_threaded_poll_free) DO(avahi_threaded_poll_lock)         \
  DO(avahi_threaded_poll_unlock) DO(avahi_strerror) DO(avahi_free) DO(avahi_alternative_service_name) \
  DO(avahi_string_list_new_from_array) DO(avahi_string_list_free)

#define CLIENT_FUNCTIONS(DO)                                                                     \
  DO(avahi_client_new) DO(avahi_client_free) DO(avahi_client_errno) DO(avahi_entry_group_new)    \
  DO(avahi_entry_group_add_service_strlst) DO(avahi_entry_group_commit) DO(avahi_entry_group_reset)     \
  DO(avahi_entry_group_is_empty) DO(avahi_entry_group_get_client)

DYNAMIC_LIBRARY(common_library, "libavahi-common.so.3", COMMON_FUNCTIONS, NULL)
DYNAMIC_LIBRARY(client_library, "libavahi-client.so.3", CLIENT_FUNCTIONS, NULL)

const char *avahi_load(void) {
  const char *reason = dynamic_library_load(&common_library_loader);
  return reason ? reason : dynamic_library_load(&client_library_loader);
}

static void ignore_change(AvahiClient *client, AvahiClientState state, void *context) {}

bool avahi_check(char reason[avahi_reason_size]) {
  AvahiThreadedPoll *poll = common_library.avahi_threaded_poll_new();
  AvahiClient *client = NULL;
  int code = AVAHI_ERR_NO_MEMORY;
  if (poll) {
    client = client_library.avahi_client_new(
        common_library.avahi_threaded_poll_get(poll), AVAHI_CLIENT_IGNORE_USER_CONFIG, ignore_change, NULL, &code);
  }
  if (!client) snprintf(reason, avahi_reason_size, "%s", common_library.avahi_strerror(code));
  bool is_running = client;
  if (client) client_library.avahi_client_free(client);
  if (poll) common_library.avahi_threaded_poll_free(poll);
  return is_running;
}

struct avahi_announcement {
  AvahiThreadedPoll *poll;
  AvahiClient *client;
  // Belongs to the client.
  AvahiEntryGroup *group;
  char *name;
  char *type;
  uint16_t port;
  AvahiStringList *records;
  avahi_callback callback;
  void *context;
  atomic_bool is_lost;
};

static void publish(avahi_announcement *announcement, AvahiClient *client);

static void report_failure(avahi_announcement *announcement, int code) {
  announcement->callback(announcement->context, false, common_library.avahi_strerror(code));
}

static void use_alternative_name(avahi_announcement *announcement) {
  char *other = common_library.avahi_alternative_service_name(announcement->name);
  char *copy = strdup(other);
  common_library.avahi_free(other);
  free(announcement->name);
  announcement->name = copy;
}

static void group_changed(AvahiEntryGroup *group, AvahiEntryGroupState state, void *context) {
  avahi_announcement *announcement = context;
  AvahiClient *client = client_library.avahi_entry_group_get_client(group);
  switch (state) {
    case AVAHI_ENTRY_GROUP_ESTABLISHED:
      announcement->callback(announcement->context, true, announcement->name);
      break;
    case AVAHI_ENTRY_GROUP_COLLISION:
      use_alternative_name(announcement);
      client_library.avahi_entry_group_reset(group);
      publish(announcement, client);
      break;
    case AVAHI_ENTRY_GROUP_FAILURE:
      report_failure(announcement, client_library.avahi_client_errno(client));
      break;
    default:
      break;
  }
}

static void publish(avahi_announcement *announcement, AvahiClient *client) {
  if (!announcement->group) announcement->group = client_library.avahi_entry_group_new(client, group_changed, announcement);
  int code = announcement->group ? 0 : client_library.avahi_client_errno(client);
  if (announcement->group && client_library.avahi_entry_group_is_empty(announcement->group)) {
    do {
      code = client_library.avahi_entry_group_add_service_strlst(
          announcement->group, AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC, 0, announcement->name, announcement->type, NULL, NULL,
          announcement->port, announcement->records);
      if (code == AVAHI_ERR_COLLISION) use_alternative_name(announcement);
    } while (code == AVAHI_ERR_COLLISION);
    if (code == 0) code = client_library.avahi_entry_group_commit(announcement->group);
  }
  if (code < 0) report_failure(announcement, code);
}

static void client_changed(AvahiClient *client, AvahiClientState state, void *context) {
  avahi_announcement *announcement = context;
  switch (state) {
    case AVAHI_CLIENT_S_RUNNING:
      publish(announcement, client);
      break;
    case AVAHI_CLIENT_S_REGISTERING:
    case AVAHI_CLIENT_S_COLLISION:
      // The host is getting another name; the service is announced under it afterwards.
      if (announcement->group) client_library.avahi_entry_group_reset(announcement->group);
      break;
    case AVAHI_CLIENT_FAILURE:
      atomic_store(&announcement->is_lost, true);
      break;
    case AVAHI_CLIENT_CONNECTING:
      break;
  }
}

avahi_announcement *avahi_announce(
    const char *name, const char *type, uint16_t port, const char *const *records, int record_count,
    avahi_callback callback, void *context, char reason[avahi_reason_size]) {
  avahi_announcement *announcement = calloc(1, sizeof *announcement);
  *announcement = (avahi_announcement){
      .name = strdup(name), .type = strdup(type), .port = port, .callback = callback, .context = context};
  if (record_count > 0) {
    announcement->records = common_library.avahi_string_list_new_from_array((const char **)records, record_count);
  }
  announcement->poll = common_library.avahi_threaded_poll_new();
  int code = AVAHI_ERR_NO_MEMORY;
  if (announcement->poll) {
    announcement->client = client_library.avahi_client_new(
        common_library.avahi_threaded_poll_get(announcement->poll), AVAHI_CLIENT_IGNORE_USER_CONFIG, client_changed,
        announcement, &code);
  }
  if (announcement->client && common_library.avahi_threaded_poll_start(announcement->poll) == 0) return announcement;
  snprintf(reason, avahi_reason_size, "%s", common_library.avahi_strerror(code));
  avahi_withdraw(announcement);
  return NULL;
}

void avahi_refresh(avahi_announcement *announcement) {
  if (!atomic_load(&announcement->is_lost)) return;
  common_library.avahi_threaded_poll_lock(announcement->poll);
  if (announcement->client) client_library.avahi_client_free(announcement->client);
  announcement->group = NULL;
  atomic_store(&announcement->is_lost, false);
  announcement->client = client_library.avahi_client_new(
      common_library.avahi_threaded_poll_get(announcement->poll), AVAHI_CLIENT_IGNORE_USER_CONFIG | AVAHI_CLIENT_NO_FAIL,
      client_changed, announcement, NULL);
  if (!announcement->client) atomic_store(&announcement->is_lost, true);
  common_library.avahi_threaded_poll_unlock(announcement->poll);
}

void avahi_withdraw(avahi_announcement *announcement) {
  if (announcement->poll) common_library.avahi_threaded_poll_stop(announcement->poll);
  if (announcement->client) client_library.avahi_client_free(announcement->client);
  if (announcement->poll) common_library.avahi_threaded_poll_free(announcement->poll);
  if (announcement->records) common_library.avahi_string_list_free(announcement->records);
  free(announcement->name);
  free(announcement->type);
  free(announcement);
}
