// System calls that Swift's Glibc module does not export.
#pragma once
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// pipe2 with O_CLOEXEC: a child that another thread starts at the same time does not inherit the pipe.
int system_pipe(int *_Nonnull ends);

// accept4 with SOCK_CLOEXEC and SOCK_NONBLOCK.
int system_accept(int socket, struct sockaddr *_Nonnull address, socklen_t *_Nonnull size);

// memfd_create with MFD_CLOEXEC: a file that exists in memory, until its descriptor is closed; -1 and errno without one.
int system_memory_file(void);

// A descriptor that is readable once the child has ended (Linux 5.3); -1 and errno without one.
int system_pidfd(pid_t process);

// Returns freed memory to the system.
void system_trim(void);

// Closes all descriptors from `first` on in the child.
int system_close_from(posix_spawn_file_actions_t *_Nonnull actions, int first);

// The path of the program or library with this code, as the loader opened it; NULL if unknown.
const char *_Nullable system_code_file(void);
