#define _GNU_SOURCE
#include "CSystem.h"

#include <fcntl.h>
#include <unistd.h>

int system_pipe(int *ends) { return pipe2(ends, O_CLOEXEC); }

int system_accept(int socket, struct sockaddr *address, socklen_t *size) {
  return accept4(socket, address, size, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int system_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
