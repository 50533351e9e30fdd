# Set-up and everyday commands of hotword: see README.md.

# What the build, the tests and the default recognizer need from Debian.
PACKAGES := g++ pkg-config libasound2-dev libfftw3-dev libwebrtc-audio-processing-dev libsndfile1-dev \
  libsamplerate0-dev libpocketsphinx-dev pocketsphinx-en-us libespeak-ng-dev \
  flite1-dev libyaml-dev libcurl4-openssl-dev libssl-dev libmosquitto-dev libavahi-client-dev libmicrohttpd-dev \
  libsodium-dev libqrencode-dev
# What the tests need besides: the ALSA plug-ins and a sound server for tests without a sound card, gnuplot for plots,
# Python for the servers that plug-ins talk to, valgrind to count instructions, strace to see what leaves the process, a TCP balancer.
TEST_PACKAGES := libasound2-plugins pulseaudio gnuplot-nox flite espeak-ng python3-venv openssl mosquitto \
  dbus avahi-daemon avahi-utils curl valgrind strace haproxy

# What `make deb` needs besides.
DEB_PACKAGES := build-essential debhelper lintian

HOTWORD := .build/release/hotword
# On ARM, GNU's linker puts Swift's constants, which it may write to, into the segment of the code unless these are separate.
BUILD := swift build -c release --static-swift-stdlib $(if $(filter aarch64,$(shell uname -m)),-Xlinker -z -Xlinker separate-code)
RECORDING := Examples/turn-on-the-kitchen-light.wav

PYTHON := .build/python

.PHONY: build run install deb try-deb addon test fuzz lint benchmark docs models packages test-packages deb-packages clean

build: packages
	$(BUILD)

# Listens on the microphone; with none, plays a recording as if it were live.
run: build
	@if $(HOTWORD) devices >/dev/null 2>&1; then exec $(HOTWORD) run $(ARGS); \
	else echo "no microphone found: playing $(RECORDING) as if live"; \
	  exec $(HOTWORD) run --input $(RECORDING) --pace $(ARGS); fi

# Installs what `make` has built: the programs, the library with its header and pkg-config file, the models, the manual, the
# completions, systemd's units and examples. LIB is the folder of libraries below PREFIX, as lib/x86_64-linux-gnu; STRIP= keeps
# the symbols for debuggers.
PREFIX := /usr/local
LIB := lib
STRIP := -s
VERSION := $(shell sed -n 's/.*text: StaticString { "\(.*\)" }/\1/p' Sources/Support/Platform/Version.swift)
TARGET = $(DESTDIR)$(PREFIX)
SHARE = $(TARGET)/share
DOC = $(SHARE)/doc
# The settings for all of the machine, where it is installed for all of it; those that stand are left as they are.
ETC = $(if $(filter /usr /usr/local,$(PREFIX)),$(DESTDIR)/etc,$(DOC))/hotword
ZSH = $(SHARE)/zsh/$(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)
MODELS = $(shell cd Models && find . -name corpus -prune -o \( -name '*.safetensors' -o -name '*.md' -o -name '*.bin' \) -print)

install:
	install -d $(TARGET)/bin $(TARGET)/include $(TARGET)/$(LIB)/pkgconfig
	install $(STRIP) -m 755 .build/release/hotword .build/release/hotword-train $(TARGET)/bin
	ln -sf hotword $(TARGET)/bin/hotword-engine
	install $(STRIP) -m 644 .build/release/libHotwordC.so $(TARGET)/$(LIB)/libhotword.so.$(VERSION)
	ln -sf libhotword.so.$(VERSION) $(TARGET)/$(LIB)/libhotword.so.0
	ln -sf libhotword.so.0 $(TARGET)/$(LIB)/libhotword.so
	install -m 644 Sources/CLibraries/CHotword/include/hotword.h $(TARGET)/include
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIB@|$(LIB)|; s|@VERSION@|$(VERSION)|' Sources/Interfaces/HotwordLibrary/hotword.pc.in \
	  >$(TARGET)/$(LIB)/pkgconfig/hotword.pc
	chmod 644 $(TARGET)/$(LIB)/pkgconfig/hotword.pc
	for file in $(MODELS); do install -D -m 644 Models/$$file $(SHARE)/hotword/models/$$file || exit; done
	$(HOTWORD) manual --output $(SHARE)/man/man1
	$(HOTWORD) manual --section 5 --output $(SHARE)/man/man5
	install -d $(SHARE)/bash-completion/completions $(ZSH) $(SHARE)/fish/vendor_completions.d
	$(HOTWORD) completions bash >$(SHARE)/bash-completion/completions/hotword
	$(HOTWORD) completions zsh >$(ZSH)/_hotword
	$(HOTWORD) completions fish >$(SHARE)/fish/vendor_completions.d/hotword.fish
	cd Packaging/systemd && for unit in *.service user/*.service; do \
	  case $$unit in user/*) folder=$(TARGET)/lib/systemd;; *) folder=$(TARGET)/lib/systemd/system;; esac; \
	  install -d $$(dirname $$folder/$$unit) && \
	  sed 's|/usr/bin/|$(PREFIX)/bin/|; s|/usr/share/|$(PREFIX)/share/|' $$unit >$$folder/$$unit || exit; done
	for file in config satellite; do [ -e $(ETC)/$$file.yaml ] || install -D -m 644 Packaging/$$file.yaml $(ETC)/$$file.yaml || exit; done
	install -d $(DOC)/hotword/examples/avahi $(DOC)/hotword/examples/haproxy $(DOC)/libhotword-dev/examples
	install -d $(DOC)/hotword/Documentation/pictures
	install -m 644 README.md Packaging/config.yaml Packaging/satellite.yaml $(DOC)/hotword
	install -m 644 Documentation/*.md $(DOC)/hotword/Documentation
	install -m 644 Documentation/pictures/*.png Documentation/pictures/*.svg $(DOC)/hotword/Documentation/pictures
	install -m 644 Examples/*.md Examples/*.yaml Examples/*.wav $(DOC)/hotword/examples
	install -m 755 Examples/grocery-list Examples/lamps.py $(DOC)/hotword/examples
	install -m 644 Packaging/avahi/hotword.service $(DOC)/hotword/examples/avahi
	install -m 644 Packaging/haproxy/hotword.cfg $(DOC)/hotword/examples/haproxy
	install -m 644 Examples/libhotword/* $(DOC)/libhotword-dev/examples

# The packages, in .build/deb: see Packaging/debian.
DEB := .build/deb
deb: build deb-packages
	rm -rf $(DEB) && mkdir -p $(DEB)/hotword
	cp -r Packaging/debian $(DEB)/hotword/debian
	cd $(DEB)/hotword && SOURCES=$(CURDIR) dpkg-buildpackage --build=binary --no-sign
	lintian --fail-on error,warning --info $(DEB)/*.deb
	ls $(DEB)/*.deb

# Installs, runs and removes the packages in a fresh root of this distribution: as root, and with the network.
try-deb: deb
	Packaging/try $(DEB)

# The add-on for Home Assistant, in .build/addon/hotword: Packaging/homeassistant-addon with the package.
ADDON := .build/addon
addon: deb
	rm -rf $(ADDON) && mkdir -p $(ADDON)
	cp -r Packaging/homeassistant-addon/hotword $(ADDON)
	cp $(DEB)/hotword_*.deb $(ADDON)/hotword
	sed -i "s/trixie/$$(. /etc/os-release; echo $$VERSION_CODENAME)/" $(ADDON)/hotword/build.yaml
	ls $(ADDON)/hotword

# The tests have a build folder of their own: they cannot be linked with the static Swift library.
# ARGS='--filter Detect' runs some of them. At the end, the skipped tests are listed.

# Tests that play sound in real time run after the others: a busy machine cuts the sound.
REAL_TIME := '^ProgramTests\.(BargeIn|SpokenDialogue)Tests'

test: build test-packages $(PYTHON)/ready
	Tests/run $(or $(ARGS),--skip $(REAL_TIME))
	$(if $(ARGS),,Tests/run --filter $(REAL_TIME))

# Without the network, the tests that need these packages are skipped.
$(PYTHON)/ready: Tests/TestServers/requirements.txt
	python3 -m venv $(PYTHON)
	if $(PYTHON)/bin/pip install -q --no-deps -r $<; then touch $@; \
	else echo "$<: not installed; the tests that need these packages are skipped"; fi

# Changed inputs for the parsers of files and of what peers send, with the address sanitizer; SECONDS= for each, of which there are 19.
fuzz: packages
	Tests/Fuzzing/run $(or $(SECONDS),60)

lint:
	swift format lint --strict --recursive Package.swift Sources Tests

# The list of commands in the manual, from the program's help, and the pages of the Swift library in .build/docs.
docs: build
	Documentation/commands >.build/commands.md && mv .build/commands.md Documentation/commands.md
	Documentation/docc

benchmark: build
	Benchmarks/run $(ARGS)

packages test-packages deb-packages:
	@missing=""; for package in $(if $(filter test-%,$@),$(TEST_PACKAGES),$(if $(filter deb-%,$@),$(DEB_PACKAGES),$(PACKAGES))); do \
	  dpkg-query -W -f '$${db:Status-Abbrev}' $$package 2>/dev/null | grep -q '^ii' \
	  || missing="$$missing $$package"; done; \
	if [ -n "$$missing" ]; then \
	  echo "installing:$$missing"; \
	  sudo=""; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	  $$sudo apt-get update -q && \
	  DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -q -y --no-install-recommends $$missing; fi

clean:
	rm -rf .build
