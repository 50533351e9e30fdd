#define _GNU_SOURCE
#include "CSystem.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

int system_pipe(int *ends) { return pipe2(ends, O_CLOEXEC); }

int system_accept(int socket, struct sockaddr *address, socklen_t *size) {
  return accept4(socket, address, size, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int system_memory_file(void) { return memfd_create("hotword", MFD_CLOEXEC); }

int system_pidfd(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

void system_trim(void) { malloc_trim(0); }

int system_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

const char *system_code_file(void) {
  Dl_info info;
  return dladdr((void *)system_code_file, &info) ? info.dli_fname : NULL;
}
