// eventfd(2), which the Glibc module of Swift lacks.
#pragma once
#include <sys/eventfd.h>
