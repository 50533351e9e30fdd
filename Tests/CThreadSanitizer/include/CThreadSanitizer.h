// Nothing to call: the tests are linked with mutex.c.
