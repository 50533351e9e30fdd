#!/bin/bash
# Starts `hotword serve` with the options of the add-on, as a user without privileges, and reports the server to Home Assistant.
set -euo pipefail

options=/data/options.json
option() { jq -r --arg name "$1" '.[$name] // empty' "$options"; }

words=(serve --uri tcp://0.0.0.0:10400 --allow any --metrics 127.0.0.1:9464)
while read -r model; do words+=(--model "$model"); done < <(jq -r '.models[]?' "$options")
words+=(--sensitivity "$(option sensitivity)")
if [ -n "$(option intents)" ]; then words+=(--intents "/share/hotword/$(option intents)"); fi
if [ -d /share/hotword ]; then words+=(--custom-model-dir /share/hotword); fi
if [ "$(option only_wake_words)" = true ]; then words+=(--wake-only); fi
if [ "$(option nearest)" = true ]; then words+=(--nearest); fi
if [ "$(option debug)" = true ]; then words+=(--debug); fi

# Home Assistant offers to add the server once it is told its address.
report() {
  until curl -fs -o /dev/null http://127.0.0.1:9464/health; do sleep 0.5; done
  local message
  message=$(jq -nc --arg uri "tcp://$HOSTNAME:10400" '{service: "wyoming", config: {uri: $uri}}')
  if curl -fsS -o /dev/null --max-time 30 -H "Authorization: Bearer $SUPERVISOR_TOKEN" --json "$message" http://supervisor/discovery; then
    echo "Home Assistant knows the server" >&2
  else
    echo "Home Assistant was not told of the server; add the integration Wyoming Protocol with the host $HOSTNAME and the port 10400" >&2
  fi
}
report &
exec setpriv --reuid nobody --regid nogroup --clear-groups --no-new-privs hotword "${words[@]}"
