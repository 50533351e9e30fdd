#define _GNU_SOURCE
#include "CAvahi.h"

#include <avahi-client/client.h>
#include <avahi-client/publish.h>
#include <avahi-common/alternative.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/thread-watch.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS(DO)                                                                            \
  DO(client, avahi_client_new) DO(client, avahi_client_free) DO(client, avahi_client_errno)      \
  DO(client, avahi_entry_group_new) DO(client, avahi_entry_group_add_service)                    \
  DO(client, avahi_entry_group_commit) DO(client, avahi_entry_group_reset)                       \
  DO(client, avahi_entry_group_is_empty) DO(client, avahi_entry_group_get_client)                \
  DO(common, avahi_threaded_poll_new) DO(common, avahi_threaded_poll_get)                        \
  DO(common, avahi_threaded_poll_start) DO(common, avahi_threaded_poll_stop)                     \
  DO(common, avahi_threaded_poll_free) DO(common, avahi_threaded_poll_lock)                      \
  DO(common, avahi_threaded_poll_unlock) DO(common, avahi_strerror) DO(common, avahi_free)       \
  DO(common, avahi_alternative_service_name)

static struct {
#define FIELD(from, name) __typeof__(name) *name;
  FUNCTIONS(FIELD)
#undef FIELD
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char load_reason[avahi_reason_size];

static void *open_one(const char *file) {
  void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!handle && !load_reason[0]) {
    const char *text = dlerror();
    snprintf(load_reason, sizeof load_reason, "%s", text ? text : "unknown");
  }
  return handle;
}

static void open_library(void) {
  void *common = open_one("libavahi-common.so.3");
  void *client = open_one("libavahi-client.so.3");
  if (!common || !client) return;
#define FIND(from, name)                                                   \
  if (!(*(void **)&library.name = dlsym(from, #name)) && !load_reason[0]) \
    snprintf(load_reason, sizeof load_reason, "it has no %s", #name);
  FUNCTIONS(FIND)
#undef FIND
}

const char *avahi_load(void) {
  pthread_once(&once, open_library);
  return load_reason[0] ? load_reason : NULL;
}

struct avahi_announcement {
  AvahiThreadedPoll *poll;
  AvahiClient *client;
  // Belongs to the client.
  AvahiEntryGroup *group;
  char *name;
  char *type;
  uint16_t port;
  avahi_callback callback;
  void *context;
  atomic_bool is_lost;
};

static void publish(avahi_announcement *one, AvahiClient *client);

static void take_other_name(avahi_announcement *one) {
  char *other = library.avahi_alternative_service_name(one->name);
  char *copy = strdup(other);
  library.avahi_free(other);
  free(one->name);
  one->name = copy;
}

static void group_changed(AvahiEntryGroup *group, AvahiEntryGroupState state, void *context) {
  avahi_announcement *one = context;
  AvahiClient *client = library.avahi_entry_group_get_client(group);
  switch (state) {
    case AVAHI_ENTRY_GROUP_ESTABLISHED:
      one->callback(one->context, true, one->name);
      break;
    case AVAHI_ENTRY_GROUP_COLLISION:
      take_other_name(one);
      library.avahi_entry_group_reset(group);
      publish(one, client);
      break;
    case AVAHI_ENTRY_GROUP_FAILURE:
      one->callback(one->context, false, library.avahi_strerror(library.avahi_client_errno(client)));
      break;
    default:
      break;
  }
}

static void publish(avahi_announcement *one, AvahiClient *client) {
  if (!one->group) one->group = library.avahi_entry_group_new(client, group_changed, one);
  int code = one->group ? 0 : library.avahi_client_errno(client);
  if (one->group && library.avahi_entry_group_is_empty(one->group)) {
    do {
      code = library.avahi_entry_group_add_service(
          one->group, AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC, 0, one->name, one->type, NULL, NULL, one->port, NULL);
      if (code == AVAHI_ERR_COLLISION) take_other_name(one);
    } while (code == AVAHI_ERR_COLLISION);
    if (code == 0) code = library.avahi_entry_group_commit(one->group);
  }
  if (code < 0) one->callback(one->context, false, library.avahi_strerror(code));
}

static void client_changed(AvahiClient *client, AvahiClientState state, void *context) {
  avahi_announcement *one = context;
  switch (state) {
    case AVAHI_CLIENT_S_RUNNING:
      publish(one, client);
      break;
    case AVAHI_CLIENT_S_REGISTERING:
    case AVAHI_CLIENT_S_COLLISION:
      // The host is being given another name; the service is announced with it afterwards.
      if (one->group) library.avahi_entry_group_reset(one->group);
      break;
    case AVAHI_CLIENT_FAILURE:
      atomic_store(&one->is_lost, true);
      break;
    case AVAHI_CLIENT_CONNECTING:
      break;
  }
}

avahi_announcement *avahi_announce(
    const char *name, const char *type, uint16_t port, avahi_callback callback, void *context,
    char reason[avahi_reason_size]) {
  avahi_announcement *one = calloc(1, sizeof *one);
  *one = (avahi_announcement){
      .name = strdup(name), .type = strdup(type), .port = port, .callback = callback, .context = context};
  one->poll = library.avahi_threaded_poll_new();
  int code = AVAHI_ERR_NO_MEMORY;
  if (one->poll) {
    one->client = library.avahi_client_new(
        library.avahi_threaded_poll_get(one->poll), AVAHI_CLIENT_IGNORE_USER_CONFIG, client_changed, one, &code);
  }
  if (one->client && library.avahi_threaded_poll_start(one->poll) == 0) return one;
  snprintf(reason, avahi_reason_size, "%s", library.avahi_strerror(code));
  avahi_withdraw(one);
  return NULL;
}

void avahi_tend(avahi_announcement *one) {
  if (!atomic_load(&one->is_lost)) return;
  library.avahi_threaded_poll_lock(one->poll);
  if (one->client) library.avahi_client_free(one->client);
  one->group = NULL;
  atomic_store(&one->is_lost, false);
  one->client = library.avahi_client_new(
      library.avahi_threaded_poll_get(one->poll), AVAHI_CLIENT_IGNORE_USER_CONFIG | AVAHI_CLIENT_NO_FAIL,
      client_changed, one, NULL);
  if (!one->client) atomic_store(&one->is_lost, true);
  library.avahi_threaded_poll_unlock(one->poll);
}

void avahi_withdraw(avahi_announcement *one) {
  if (one->poll) library.avahi_threaded_poll_stop(one->poll);
  if (one->client) library.avahi_client_free(one->client);
  if (one->poll) library.avahi_threaded_poll_free(one->poll);
  free(one->name);
  free(one->type);
  free(one);
}
