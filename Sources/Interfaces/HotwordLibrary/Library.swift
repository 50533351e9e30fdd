// The shared library is HotwordC, linked with Swift's own libraries, exporting what hotword.h declares and nothing else.
import HotwordC
