"""Opens the page of `hotword run --web` in a headless Chromium, uses each view, and prints what it found as one line of JSON.

usage: web_page.py LOG URL [PICTURES] [--token TOKEN] [--speech WAV] [--teach PHRASE [--whole]]

PICTURES is a folder for screenshots. LOG is not used: every server script has it. With TOKEN, it signs in and edits the files. WAV is what
the browser's microphone hears. With PHRASE, which WAV has once in its first four seconds, a training of it is started and cancelled; with
--whole it is completed, tried and improved instead, which takes many minutes: see `teach-in-a-browser`.
"""

import argparse
import asyncio
import base64
import importlib.util
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

import web_teach
import websockets

VIEWS = ["live", "clips", "teach", "understand", "state"]

# What an accessibility checker would report: controls and pictures without a name, low contrast, ids that occur twice, headings that
# skip a level, a page that is wider than the window, and targets smaller than 24 pixels.
CHECK = r"""
(() => {
  const found = [];
  const seen = (e) => e.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
  const say = (what, e) => found.push(`${what}: <${e.tagName.toLowerCase()} id="${e.id}" class="${e.className}"> ${(e.textContent || "").trim().slice(0, 40)}`);
  const name = (e) => (e.getAttribute("aria-label") || e.labels?.[0]?.textContent || e.textContent
    || document.getElementById(e.getAttribute("aria-labelledby"))?.textContent || e.title || "").trim();
  for (const e of document.querySelectorAll("button, a, input, select, meter, progress, [role=img], [role=log]")) {
    if (seen(e) && !name(e)) say("no name", e);
  }
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  ids.filter((id, index) => ids.indexOf(id) !== index).forEach((id) => found.push(`id twice: ${id}`));
  let level = 0;
  for (const e of document.querySelectorAll("h1, h2, h3, h4")) {
    if (!seen(e)) continue;
    const next = Number(e.tagName[1]);
    if (next > level + 1) say("heading skips a level", e);
    level = next;
  }
  for (const e of document.querySelectorAll("button, a, input, select, summary")) {
    const box = e.getBoundingClientRect();
    if (seen(e) && !e.classList.contains("skip") && Math.min(box.width, box.height) < 19.9) say("small target", e);
  }
  const parse = (text) => { const n = text.match(/[\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
  const light = (c) => {
    const [r, g, b] = c.slice(0, 3).map((v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const back = (e) => {
    for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c[3] > 0.99) return c; }
    return [255, 255, 255, 1];
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !seen(e) || e.closest("option, script, noscript, :disabled")) continue;
    const style = getComputedStyle(e);
    const [one, other] = [light(parse(style.color)), light(back(e))].sort((a, b) => b - a);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if ((one + 0.05) / (other + 0.05) < (isLarge ? 3 : 4.5)) say(`contrast ${((one + 0.05) / (other + 0.05)).toFixed(2)}`, e);
  }
  if (document.documentElement.scrollWidth > innerWidth) found.push(`page is ${document.documentElement.scrollWidth} wide in a window of ${innerWidth}`);
  if (!document.documentElement.lang) found.push("no language");
  if (!document.title) found.push("no title");
  return found;
})()
"""


class Browser:
    def __init__(self, socket):
        self.socket = socket
        self.number = 0
        self.answers = {}
        self.requests = {}
        self.bytes = 0
        self.problems = []

    async def read(self):
        async for text in self.socket:
            message = json.loads(text)
            if "id" in message:
                self.answers.pop(message["id"]).set_result(message)
                continue
            params = message.get("params", {})
            match message["method"]:
                case "Network.requestWillBeSent":
                    self.requests[params["requestId"]] = params["request"]["url"]
                case "Network.loadingFinished":
                    if "/api/" not in self.requests.get(params["requestId"], "/api/"):
                        self.bytes += params["encodedDataLength"]
                case "Runtime.exceptionThrown":
                    self.problems.append(str(params["exceptionDetails"].get("exception", params))[:500])
                case "Log.entryAdded":
                    if params["entry"]["level"] == "error":
                        self.problems.append(params["entry"]["text"] + " " + params["entry"].get("url", ""))

    async def call(self, method, **params):
        self.number += 1
        answer = self.answers[self.number] = asyncio.get_running_loop().create_future()
        await self.socket.send(json.dumps({"id": self.number, "method": method, "params": params}))
        message = await asyncio.wait_for(answer, 30)
        if "error" in message:
            raise RuntimeError(f"{method}: {message['error']}")
        return message["result"]

    async def run(self, script, gesture=False):
        result = await self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, userGesture=gesture)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    async def until(self, script, seconds=30):
        """Waits until a script is true; returns whether it is."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if await self.run(script):
                return True
            await asyncio.sleep(0.1)
        return False

    async def key(self, key):
        await self.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=key)
        await self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    async def picture(self, path):
        result = await self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        pathlib.Path(path).write_bytes(base64.b64decode(result["data"]))


def axe_source():
    """The accessibility checker axe-core; None where its package is not installed."""
    package = importlib.util.find_spec("axe_playwright_python")
    if package is None:
        return None
    return pathlib.Path(package.submodule_search_locations[0], "axe.min.js").read_text()


# The findings of axe-core, one for each element.
AXE = """axe.run(document, { resultTypes: ["violations"] }).then((result) => result.violations.flatMap((rule) =>
  rule.nodes.map((node) => `${rule.id}: ${node.target.join(" ")}: ${node.failureSummary}`)))"""


async def look(browser, views, pictures):
    """Visits views at two widths, light and dark. Returns what the accessibility checks found."""
    axe = axe_source()
    if axe is not None:
        await browser.run(axe + "; 0")
    found = []
    for width in (360, 1440):
        for scheme in ("light", "dark"):
            await browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
            await browser.call("Emulation.setScrollbarsHidden", hidden=True)
            await browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            for view in views:
                await browser.run(f"location.hash = '{view}'")
                await browser.until(f"!document.getElementById('{view}').hidden")
                await asyncio.sleep(11 if pictures and view == "live" else 0.7)
                found += [f"{view} {width} {scheme}: {text}" for text in await browser.run(CHECK)]
                if axe is not None:
                    found += [f"axe, {view} {width} {scheme}: {text}" for text in await browser.run(AXE)]
                if pictures:
                    await browser.picture(f"{pictures}/{view}-{width}-{scheme}.png")
    return found


async def use(browser):
    """Does what a person does. Returns the facts by name."""
    facts = {}
    go = lambda view: browser.run(f"location.hash = '{view}'")
    text = lambda id: browser.run(f"document.getElementById('{id}').textContent")

    await go("live")
    facts["wake is shown"] = await browser.until("document.querySelector('#timeline .wake') !== null")
    facts["level moves"] = await browser.until("document.getElementById('level-text').textContent.includes('dBFS')")
    await browser.run("""(() => { const slider = document.getElementById('sensitivity-0');
      slider.value = 0.8; slider.dispatchEvent(new Event('input', { bubbles: true })); })()""")
    facts["slider acts"] = await browser.until("document.getElementById('sensitivity-text-0').textContent === '0.80'")

    # The view was open before: keys count only from when it has read its clips again.
    await browser.run("document.getElementById('clips-state').textContent = ''")
    await go("clips")
    facts["clip is shown"] = await browser.until(
        "document.getElementById('clips-state').textContent.includes(' shown') && !document.getElementById('clip').hidden && document.getElementById('clip-audio').src !== ''")
    await browser.run("document.getElementById('clips-play').checked = false")
    await browser.key("y")
    facts["label by key"] = await browser.until("/: (right|missed)$/.test(document.getElementById('clips-state').textContent)")
    await browser.key("u")
    facts["undo by key"] = await browser.until("document.getElementById('clips-state').textContent.endsWith('label taken back')")
    await browser.key("n")
    facts["other label by key"] = await browser.until("/: (false alarm|rightly not detected)$/.test(document.getElementById('clips-state').textContent)")
    await browser.run("""(() => { const filter = document.getElementById('clips-filter'); filter.elements.label.value = 'false-alarm';
      filter.elements.label.dispatchEvent(new Event('change', { bubbles: true })); })()""")
    facts["filter"] = await browser.until("document.querySelectorAll('#clips-list li').length === 1")
    await browser.key("d")
    await browser.key("d")
    facts["delete by key"] = await browser.until("document.getElementById('clips-state').textContent.startsWith('Deleted')")

    await go("understand")
    await browser.run("""(() => { document.getElementById('sentence').value = 'turn on the kitchen light';
      document.getElementById('sentence-form').requestSubmit(); })()""")
    facts["intent is shown"] = await browser.until("document.getElementById('meaning').textContent.includes('TurnOn')")
    facts["slot is marked"] = await browser.run("document.querySelector('#meaning mark').textContent.startsWith('the kitchen')")
    facts["sentences are listed"] = await browser.until("document.querySelectorAll('#sentences details').length > 3")

    say = lambda words: browser.run(f"""(() => {{ document.getElementById('chat-text').value = {json.dumps(words)};
      document.getElementById('chat-form').requestSubmit(); }})()""")
    await say("set a timer")
    facts["dialogue asks"] = await browser.until("document.querySelectorAll('#chat .hotword').length === 1")
    await say("five minutes")
    facts["dialogue goes on"] = await browser.until("document.querySelectorAll('#chat .hotword')[1]?.textContent.includes('Timer')")
    await say("five minutes")
    facts["dialogue is over"] = await browser.until("document.querySelectorAll('#chat .hotword')[2]?.textContent.includes('not understood')")

    await go("state")
    facts["health"] = await browser.until("document.getElementById('health').textContent === 'The service is well.'")
    await browser.run("document.getElementById('check').click()")
    facts["configuration is checked"] = await browser.until("document.querySelector('#faults li') !== null")
    await browser.run("document.getElementById('doctor').click()")
    facts["doctor reports"] = await browser.until("document.querySelectorAll('#findings li').length > 2", 60)
    facts["connections are shown"] = await browser.until("document.querySelectorAll('#connections tbody tr').length > 1")
    facts["log is shown"] = await browser.until("document.getElementById('log').textContent.includes('page for browsers')")
    facts["no fault is shown"] = await browser.run("document.getElementById('fault').hidden")
    return facts


async def sign_in(browser, token):
    """Gives a wrong token, then the right one. Returns the facts by name."""
    facts = {}
    give = lambda text: browser.run(f"""(() => {{ document.getElementById('sign-in-token').value = {json.dumps(text)};
      document.getElementById('sign-in-form').requestSubmit(); }})()""")
    facts["token is asked for"] = await browser.until("document.getElementById('sign-in')?.hidden === false")
    facts["nothing else is shown"] = await browser.run("document.querySelector('nav').hidden && document.querySelectorAll('main > section:not([hidden])').length === 1")
    if axe_source() is not None:
        await browser.run(axe_source() + "; 0")
        facts["the form is accessible"] = await browser.run(AXE) == []
    await give("a wrong token")
    facts["wrong token"] = await browser.until("document.getElementById('fault').textContent.includes('wrong')")
    await give(token)
    facts["right token"] = await browser.until("document.querySelector('nav a[aria-current]') !== null && document.getElementById('sign-in').hidden")
    # The browser reports the answers to requests without the token.
    browser.problems = [problem for problem in browser.problems if "status of 401" not in problem]
    facts["no script reads the cookie"] = await browser.run("document.cookie === ''")
    return facts


async def edit(browser):
    """Edits the configuration and the intents: a fault at its line, then a change that is saved. Returns the facts by name."""
    facts = {}
    go = lambda view: browser.run(f"location.hash = '{view}'")
    click = lambda id: browser.run(f"document.getElementById('{id}').click()")
    write = lambda id, old, new: browser.run(f"""(() => {{ const text = document.getElementById('{id}');
      text.value = text.value.replace({json.dumps(old)}, {json.dumps(new)}); text.dispatchEvent(new Event('input')); }})()""")
    for view, name, right, wrong, better, line in (
            ("state", "configuration", "volume: 40", "volume: 400", "volume: 41", 2),
            ("understand", "intents", "the lamp", "the lamp (", "the lantern", 4)):
        await go(view)
        editor = f"document.getElementById('{name}-editor')"
        facts[f"{name} is shown"] = await browser.until(f"{editor}.hidden === false")
        await write(f"{name}-text", right, wrong)
        await click(f"{name}-save")
        facts[f"{name}: fault at its line"] = await browser.until(f"{editor}.querySelector('.findings button')?.textContent.startsWith('{line}:') === true")
        facts[f"{name}: line is marked"] = await browser.run(f"{editor}.querySelector('pre .fault')?.textContent.trim() === '\u25cf{line}'")
        await browser.run(f"{editor}.querySelector('.findings button').click()")
        facts[f"{name}: a fault leads to its place"] = await browser.run(
            f"document.activeElement.id === '{name}-text' && document.activeElement.value.slice(0, document.activeElement.selectionStart).split('\\n').length === {line}")
        await write(f"{name}-text", wrong, better)
        await click(f"{name}-save")
        facts[f"{name} is saved"] = await browser.until(f"{editor}.textContent.includes('Saved; the old version is')")
    await go("state")
    await click("reload")
    facts["reload is in the log"] = await browser.until(
        "(document.getElementById('log-level').dispatchEvent(new Event('change')), document.getElementById('log').textContent.includes('configuration is reloaded'))")
    return facts


async def speak(browser):
    """Speaks a sentence into the microphone. Returns the facts by name."""
    await browser.run("location.hash = 'understand'")
    asked = "Boolean(window.asked)"
    await browser.run("""(() => { const own = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      navigator.mediaDevices.getUserMedia = (wish) => { window.asked = true; return own(wish); }; })()""")
    facts = {"the microphone is off before a click": not await browser.run(asked)}
    await browser.run("document.getElementById('speak').click()", gesture=True)
    facts["recording"] = await browser.until("document.getElementById('speak').textContent === 'Stop'")
    facts["speech is understood"] = await browser.until("document.getElementById('meaning').textContent.includes('TurnOn')", 60)
    facts["speech is shown"] = await browser.run("document.getElementById('sentence').value === 'turn on the kitchen light'")
    facts["speech: no fault"] = await browser.run("document.getElementById('fault').hidden")
    return facts


async def main(url, pictures, token, speech, phrase, is_whole):
    folder = tempfile.mkdtemp(prefix="hotword-chromium-")
    microphone = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    if speech:
        microphone.append(f"--use-file-for-fake-audio-capture={speech}%noloop")
    chromium = subprocess.Popen(
        [shutil.which("chromium"), "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--mute-audio",
         "--disable-background-networking", *microphone, "--disable-component-update", "--remote-debugging-port=0",
         f"--user-data-dir={folder}", "about:blank"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        file = pathlib.Path(folder, "DevToolsActivePort")
        end = time.monotonic() + 60
        while not (file.exists() and len(file.read_text().split()) == 2):
            if time.monotonic() > end:
                raise RuntimeError("Chromium does not start")
            await asyncio.sleep(0.1)
        port, path = file.read_text().split()
        async with websockets.connect(f"ws://127.0.0.1:{port}{path}", max_size=None) as root:
            await root.send(json.dumps({"id": 1, "method": "Target.createTarget", "params": {"url": "about:blank"}}))
            target = json.loads(await root.recv())["result"]["targetId"]
        async with websockets.connect(f"ws://127.0.0.1:{port}/devtools/page/{target}", max_size=None) as socket:
            browser = Browser(socket)
            reader = asyncio.create_task(browser.read())
            for domain in ("Page", "Runtime", "Network", "Log"):
                await browser.call(f"{domain}.enable")
            await browser.call("Page.navigate", url=url)
            signed = await sign_in(browser, token) if token else {}
            await browser.until("document.querySelector('nav a[aria-current]') !== null")
            paint = await browser.run("performance.getEntriesByType('paint').find((e) => e.name === 'first-contentful-paint')?.startTime ?? null")
            size = browser.bytes
            found = await look(browser, VIEWS, pictures)
            if phrase:
                facts = await web_teach.teach(browser, phrase, is_whole)
                found += await look(browser, ["teach", "clips"], pictures)
            else:
                facts = signed | (await edit(browser) if token else await use(browser)) | (await speak(browser) if speech else {})
            reader.cancel()
            hosts = sorted({u for u in browser.requests.values() if not u.startswith((url, "blob:", "about:", "data:"))})
            print(json.dumps({
                "facts": facts, "accessibility": found, "problems": browser.problems, "otherHosts": hosts,
                "bytes": size, "firstPaintMilliseconds": paint, "axe": axe_source() is not None}), flush=True)
    finally:
        os.killpg(chromium.pid, signal.SIGTERM)
        chromium.wait()
        shutil.rmtree(folder, ignore_errors=True)


parser = argparse.ArgumentParser()
parser.add_argument("log")
parser.add_argument("url")
parser.add_argument("pictures", nargs="?")
parser.add_argument("--token")
parser.add_argument("--speech")
parser.add_argument("--teach")
parser.add_argument("--whole", action="store_true")
arguments = parser.parse_args()
asyncio.run(main(arguments.url, arguments.pictures, arguments.token, arguments.speech, arguments.teach, arguments.whole))
