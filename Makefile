# Set-up and everyday commands of hotword: see README.md.

# What the build, the tests and the default recognizer need from Debian.
PACKAGES := pkg-config libasound2-dev libfftw3-dev libwebrtc-audio-processing-dev libsndfile1-dev \
  libsamplerate0-dev libpocketsphinx-dev pocketsphinx-en-us libespeak-ng-dev \
  flite1-dev libyaml-dev libcurl4-openssl-dev libmosquitto-dev libavahi-client-dev libmicrohttpd-dev
# What the tests need besides: the ALSA plug-ins and a sound server for tests without a sound card, gnuplot for plots,
# Python for the servers that plug-ins talk to.
TEST_PACKAGES := libasound2-plugins pulseaudio gnuplot-nox flite python3-venv openssl mosquitto \
  dbus avahi-daemon avahi-utils

HOTWORD := .build/release/hotword
BUILD := swift build -c release --static-swift-stdlib
RECORDING := Examples/turn-on-the-kitchen-light.wav

PYTHON := .build/python

.PHONY: build run install test lint benchmark models packages test-packages clean

build: packages
	$(BUILD)

# Listens on the microphone; with none, plays a recording as if it were live.
run: build
	@if $(HOTWORD) devices | grep -q .; then exec $(HOTWORD) run $(ARGS); \
	else echo "no microphone found: playing $(RECORDING) as if live"; \
	  exec $(HOTWORD) run --input $(RECORDING) --pace $(ARGS); fi

# Installs what `make` has built: the programs, the library with its header and pkg-config file, the models. LIB is the folder of
# libraries below PREFIX, as lib/x86_64-linux-gnu; STRIP= keeps the symbols for debuggers.
PREFIX := /usr/local
LIB := lib
STRIP := -s
VERSION := $(shell sed -n 's/.*text: StaticString { "\(.*\)" }/\1/p' Sources/Platform/Version.swift)
TARGET = $(DESTDIR)$(PREFIX)
MODELS = $(shell cd Models && find . -name '*.safetensors' -o -name '*.md' -o -name background.bin)

install:
	install -d $(TARGET)/bin $(TARGET)/include $(TARGET)/$(LIB)/pkgconfig
	install $(STRIP) -m 755 .build/release/hotword .build/release/hotword-train $(TARGET)/bin
	ln -sf hotword $(TARGET)/bin/hotword-engine
	install $(STRIP) -m 644 .build/release/libHotwordC.so $(TARGET)/$(LIB)/libhotword.so.$(VERSION)
	ln -sf libhotword.so.$(VERSION) $(TARGET)/$(LIB)/libhotword.so.0
	ln -sf libhotword.so.0 $(TARGET)/$(LIB)/libhotword.so
	install -m 644 Sources/CLibraries/CHotword/include/hotword.h $(TARGET)/include
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIB@|$(LIB)|; s|@VERSION@|$(VERSION)|' Sources/HotwordLibrary/hotword.pc.in \
	  >$(TARGET)/$(LIB)/pkgconfig/hotword.pc
	chmod 644 $(TARGET)/$(LIB)/pkgconfig/hotword.pc
	for file in $(MODELS); do install -D -m 644 Models/$$file $(TARGET)/share/hotword/models/$$file || exit; done

# The tests have a build folder of their own: they cannot be linked with the static Swift library.
# ARGS='--filter Detect' runs some of them. espeak-ng has one state a process, which training sets up for itself: what
# speaks and pronounces in the service is tested in a process of its own.

ESPEAK_TESTS := '^(Speech|Recognition)Tests\.'
test: build test-packages $(PYTHON)/ready
	swift test -c release --scratch-path .build/tests $(or $(ARGS),--filter $(ESPEAK_TESTS))
	$(if $(ARGS),,swift test -c release --scratch-path .build/tests --skip $(ESPEAK_TESTS))

# Without the network the tests of these servers are skipped.
$(PYTHON)/ready: Tests/TestServers/requirements.txt
	python3 -m venv $(PYTHON)
	if $(PYTHON)/bin/pip install -q -r $< && $(PYTHON)/bin/pip install -q --no-deps precise-runner; \
	then touch $@; else echo "tests without $<"; fi

lint:
	swift format lint --strict --recursive Package.swift Sources Tests

benchmark: build
	Benchmarks/run

packages test-packages:
	@missing=""; for package in $(if $(filter test-%,$@),$(TEST_PACKAGES),$(PACKAGES)); do \
	  dpkg-query -W -f '$${db:Status-Abbrev}' $$package 2>/dev/null | grep -q '^ii' \
	  || missing="$$missing $$package"; done; \
	if [ -n "$$missing" ]; then \
	  echo "installing:$$missing"; \
	  sudo=""; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	  $$sudo apt-get update -q && \
	  DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -q -y --no-install-recommends $$missing; fi

clean:
	rm -rf .build
