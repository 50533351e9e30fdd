// libFuzzer's entry for a program with a main function of its own, and its changes of bytes: https://llvm.org/docs/LibFuzzer.html
#pragma once
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*parse)(const uint8_t *bytes, size_t size));
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t limit);
