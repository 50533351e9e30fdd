// The shared library is HotwordC, linked statically with Swift's libraries. It exports only the functions of hotword.h.
import HotwordC
