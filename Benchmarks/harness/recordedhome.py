"""The home of the orders of speech-to-phrase, made in a running Home Assistant from entities whose states can be set and seen."""

import asyncio
from pathlib import Path
from typing import Any

from .fault import INPUT_OUTPUT, Fault
from .homeassistant import HomeAssistant

PREFIX = "hotword_"
"""Of the unique identifiers of the things."""
ROOMS = {
    "Kitchen": ["bed_light", "ecobee", "kitchen_tv", "kitchen_window", "front_door"],
    "Office": ["standing_light", "sliding_door", "office_tv", "office_window", "curtain", "blind", "thermometer"],
}
THINGS = 18
"""All things, of which some are in no area."""
TWIN = "office_tv"
"""A second thing of the same name in the other area, which is exposed only if it is requested."""
TEMPERATURE = {"Office": "thermometer"}
"""The thing that measures the temperature of an area without a thermostat."""
SHOPPING_LIST = "todo.shopping_list"
STATES = ("off", "on", "paused")
"""The states that the things can be in before an order: all off, closed and locked; the opposite; paused."""

TELEVISION = """
  - platform: universal
    name: TV
    unique_id: hotword_{room}_tv
    state_template: "{{{{ states('input_select.hotword_{room}_tv') }}}}"
    commands:
      turn_on: &{room}_play
        action: input_select.select_option
        target: &{room}_tv {{entity_id: input_select.hotword_{room}_tv}}
        data: {{option: playing}}
      turn_off: {{action: input_select.select_option, target: *{room}_tv, data: {{option: "off"}}}}
      media_play: *{room}_play
      media_pause: {{action: input_select.select_option, target: *{room}_tv, data: {{option: paused}}}}
      media_next_track: {{action: input_number.increment, target: {{entity_id: input_number.hotword_{room}_track}}}}
      volume_up: {{action: input_number.increment, target: &{room}_volume {{entity_id: input_number.hotword_{room}_volume}}}}
      volume_down: {{action: input_number.decrement, target: *{room}_volume}}
      volume_set: {{action: input_number.set_value, target: *{room}_volume, data: {{value: "{{{{ volume_level }}}}"}}}}
    attributes: {{volume_level: input_number.hotword_{room}_volume}}
"""
COVER = """
      - {{name: {name}, unique_id: hotword_{id}, device_class: {kind}, open_cover: *nothing, close_cover: *nothing}}"""
COVERS = [
    ("Garage Door", "garage_door", "garage"),
    ("Sliding Door", "sliding_door", "door"),
    ("Street Window", "kitchen_window", "window"),
    ("Garden Window", "office_window", "window"),
    ("Long Curtain", "curtain", "curtain"),
    ("Wooden Blind", "blind", "blind"),
]
CONFIGURATION = (
    """
template:
  - light:
      - name: Bed Light
        unique_id: hotword_bed_light
        turn_on: &nothing [{event: hotword_benchmark}]
        turn_off: *nothing
        set_level: *nothing
        set_hs: *nothing
      - {name: Standing Light, unique_id: hotword_standing_light, turn_on: *nothing, turn_off: *nothing}
  - cover:"""
    + "".join(COVER.format(name=name, id=id, kind=kind) for name, id, kind in COVERS)
    + """
  - lock:
      - {name: Front Door, unique_id: hotword_front_door, lock: *nothing, unlock: *nothing}
  - weather:
      - name: New York
        unique_id: hotword_new_york
        condition_template: sunny
        temperature_template: "18"
        temperature_unit: °C
        humidity_template: "40"
  - sensor:
      - {name: Outdoor Humidity, unique_id: hotword_outdoor_humidity, device_class: humidity, unit_of_measurement: "%", state: "62"}
      - {name: Thermometer, unique_id: hotword_thermometer, device_class: temperature, unit_of_measurement: °C, state: "19"}
input_boolean:
  hotword_heater: {name: Heater}
input_select:
  hotword_kitchen_tv: &channel {options: ["off", playing, paused]}
  hotword_office_tv: *channel
input_number:
  hotword_kitchen_track: &track {min: 0, max: 100000}
  hotword_office_track: *track
  hotword_kitchen_volume: &volume {min: 0, max: 1, step: 0.01}
  hotword_office_volume: *volume
climate:
  - platform: generic_thermostat
    name: EcoBee
    unique_id: hotword_ecobee
    heater: input_boolean.hotword_heater
    target_sensor: sensor.thermometer
script:
  hotword_party_time: {alias: Party Time, sequence: *nothing}
scene:
  - {id: hotword_mood_lighting, name: Mood Lighting, entities: {input_boolean.hotword_heater: "off"}}
media_player:"""
    + TELEVISION.format(room="kitchen")
    + TELEVISION.format(room="office")
)


def configure(folder: Path) -> bool:
    """Writes the things as a package into the folder of Home Assistant's configuration; returns whether it must be restarted."""
    main, package = folder / "configuration.yaml", folder / "hotword_benchmark.yaml"
    line = "    hotword_benchmark: !include hotword_benchmark.yaml\n"
    text = main.read_text()
    isNew = line not in text or not package.exists() or package.read_text() != CONFIGURATION
    if line not in text:
        if "  packages:" in text:
            raise Fault(INPUT_OUTPUT, f"{main}: has packages; use a Home Assistant for tests")
        head = "homeassistant:\n"
        text = text if head in text else head + text
        main.write_text(text.replace(head, f"{head}  packages:\n{line}", 1))
    package.write_text(CONFIGURATION)
    return isNew


class RecordedHome:
    """The things in Home Assistant, their areas and states."""

    def __init__(self, home: HomeAssistant):
        self._home = home
        self.names: dict[str, str] = {}
        """Entities by unique identifier without the prefix, or the part after the domain."""

    async def furnish(self, hasTwin: bool) -> None:
        """Adds the to-do list and the areas, and exposes the things, and nothing else, to Assist."""
        home = self._home
        if not any(entity["entity_id"] == SHOPPING_LIST for entity in await home.entities()):
            await home.add("local_todo", {"todo_list_name": "Shopping List"})
        for _ in range(100):
            self.names = {
                entity["unique_id"].removeprefix(PREFIX): entity["entity_id"]
                for entity in await home.entities()
                if entity["unique_id"].startswith(PREFIX) and not entity["entity_id"].startswith("input_")
                or entity["entity_id"] == SHOPPING_LIST
            }
            if len(self.names) >= THINGS:
                break
            await asyncio.sleep(0.1)
        await self._expose({entity for thing, entity in self.names.items() if hasTwin or thing != TWIN})
        areas = await self.areas()
        for room, things in ROOMS.items():
            for thing in things:
                await home.command("config/entity_registry/update", entity_id=self.names[thing], area_id=areas[room])
        for room, thing in TEMPERATURE.items():
            await home.command(
                "config/area_registry/update", area_id=areas[room], temperature_entity_id=self.names[thing])

    async def areas(self) -> dict[str, str]:
        """Returns the identifiers of the two areas, and removes others."""
        known = {area["name"]: area["area_id"] for area in await self._home.command("config/area_registry/list")}
        for name in known.keys() - ROOMS.keys():
            await self._home.command("config/area_registry/delete", area_id=known.pop(name))
        for name in ROOMS.keys() - known.keys():
            known[name] = (await self._home.command("config/area_registry/create", name=name))["area_id"]
        return known

    async def _expose(self, entities: set[str]) -> None:
        states = {state["entity_id"] for state in await self._home.command("get_states")}
        for names, isExposed in ((states - entities, False), (entities, True)):
            await self._home.command(
                "homeassistant/expose_entity", assistants=["conversation"], entity_ids=sorted(names), should_expose=isExposed)

    async def set(self, state: str) -> None:
        """Puts all things into one of `STATES`."""
        home, names = self._home, self.names

        async def each(action: str, *things: str, **data: Any) -> None:
            await home.act(action, [names[thing] for thing in things], **data)

        isOn = state != "off"
        # An on light has a brightness and a colour that no order asks for.
        await each("light.turn_on", "bed_light", brightness_pct=40, hs_color=[280, 80])
        await each("light.turn_on", "standing_light")
        if not isOn:
            await each("light.turn_off", "bed_light", "standing_light")
        await each("cover.open_cover" if isOn else "cover.close_cover", *[id for _, id, _ in COVERS])
        await each("lock.unlock" if isOn else "lock.lock", "front_door")
        option = {"off": "off", "on": "playing", "paused": "paused"}[state]
        players = ["input_select.hotword_kitchen_tv", "input_select.hotword_office_tv"]
        if state == "paused":
            await home.act("input_select.select_option", players, option="playing")
        await home.act("input_select.select_option", players, option=option)
        volumes = ["input_number.hotword_kitchen_volume", "input_number.hotword_office_volume"]
        await home.act("input_number.set_value", volumes, value=0.33)
        await each("climate.set_temperature", "ecobee", temperature=17)
        items = (await self._items()) or []
        if items:
            await home.act("todo.remove_item", SHOPPING_LIST, item=items)

    async def _items(self) -> list[str]:
        found = await self._home.command("todo/item/list", entity_id=SHOPPING_LIST)
        return [item["summary"] for item in found["items"]]

    async def look(self) -> dict[str, Any]:
        """Returns what an order can change, by entity."""
        things: dict[str, Any] = {}
        for state in await self._home.command("get_states"):
            entity, attributes = state["entity_id"], state["attributes"]
            if entity.startswith("input_number.hotword"):
                things[entity] = state["state"]
            if entity not in self.names.values():
                continue
            match entity.split(".")[0]:
                case "light":
                    colour = [round(part) for part in attributes.get("hs_color") or []]
                    things[entity] = [state["state"], attributes.get("brightness"), colour]
                case "script":
                    things[entity] = attributes.get("last_triggered")
                case "climate":
                    things[entity] = [state["state"], attributes.get("temperature")]
                case "todo":
                    things[entity] = sorted(item.lower() for item in await self._items())
                case _:
                    things[entity] = state["state"]
        return things
