"""Opens the page of `hotword run --web` in a headless Chromium, uses each view, and prints what it found as one line of JSON.

usage: web_page.py LOG URL [--pictures DIR] [--microphone WAV] [--teach PHRASE] [--whole]

DIR is a folder for screenshots. WAV is what the browser's microphone hears: PHRASE once, in four seconds. With PHRASE, a training of
it is started and cancelled; with --whole it is completed, tried and improved instead, which takes many minutes: the service must
listen to recordings of PHRASE and keep its clips. LOG is not used: every server script has it.
"""

import argparse
import asyncio
import base64
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

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

    async def run(self, script):
        result = await self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
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


async def look(browser, views, pictures):
    """Visits views at two widths, light and dark. Returns what the accessibility check found."""
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

    await go("clips")
    facts["clip is shown"] = await browser.until("!document.getElementById('clip').hidden && document.getElementById('clip-audio').src !== ''")
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

    await go("state")
    facts["health"] = await browser.until("document.getElementById('health').textContent === 'The service is well.'")
    await browser.run("document.getElementById('check').click()")
    facts["configuration is checked"] = await browser.until("document.querySelector('#faults li') !== null")
    await browser.run("document.getElementById('doctor').click()")
    facts["doctor reports"] = await browser.until("document.querySelectorAll('#findings li').length > 2", 60)
    facts["no fault is shown"] = await browser.run("document.getElementById('fault').hidden")
    return facts


async def teach(browser, phrase, is_whole):
    """Adds a phrase, records it, trains it. Returns the facts by name."""
    facts = {}
    text = lambda id: f"document.getElementById('{id}').textContent"
    click = lambda id: browser.run(f"document.getElementById('{id}').click()")
    await browser.run("location.hash = 'teach'")
    await browser.run(f"""(() => {{ document.getElementById('phrase-text').value = {json.dumps(phrase)};
      document.getElementById('phrase-form').requestSubmit(); }})()""")
    facts["pronunciation is shown"] = await browser.until("document.querySelector('#pronunciations li') !== null", 120)
    facts["voices are offered"] = await browser.run("document.querySelectorAll('#phrase-voice option').length > 5")
    await click("phrase-play")
    facts["voice is heard"] = await browser.until("document.getElementById('phrase-audio').duration > 0.3", 60)
    for count in (1, 2, 3):
        await click("take-browser")
        facts[f"take {count} is kept"] = await browser.until(f"document.querySelectorAll('#takes li').length === {count}", 60)
    await browser.run("""(() => { const steps = document.getElementById('train-steps');
      steps.value = '300'; document.getElementById('train-form').requestSubmit(); })()""")
    facts["training starts"] = await browser.until(f"{text('work-state')}.includes('%')", 240)
    await browser.call("Page.reload")
    facts["training survives a reload"] = await browser.until(
        "document.getElementById('work')?.hidden === false && !document.getElementById('work-cancel').hidden", 60)
    if is_whole:
        return facts | await try_and_improve(browser, phrase)
    await click("work-cancel")
    facts["training is cancelled"] = await browser.until(f"{text('work-state')} === 'Cancelled'", 60)
    await browser.until("document.querySelectorAll('#takes li').length === 3")
    await browser.run("document.querySelector('#takes li button:nth-of-type(2)').click()")
    facts["take is deleted"] = await browser.until("document.querySelectorAll('#takes li').length === 2")
    facts["teaching shows no fault"] = await browser.run("document.getElementById('fault').hidden")
    return facts


async def try_and_improve(browser, phrase):
    """Waits for the model, tries it, installs it, labels a false alarm, and improves it. Returns the facts by name."""
    facts = {}
    hour = 3600
    text = lambda id: f"document.getElementById('{id}').textContent"
    click = lambda id: browser.run(f"document.getElementById('{id}').click()")
    began = time.monotonic()
    facts["training ends"] = await browser.until(f"['Done', 'Fail'].includes({text('work-state')}.slice(0, 4))", hour)
    print(f"training: {time.monotonic() - began:.0f} s, {await browser.run(text('work-state'))}", file=sys.stderr)
    facts["curve of the model is shown"] = await browser.until("!document.getElementById('model').hidden")
    await browser.run("""(() => { const slider = document.getElementById('model-sensitivity');
      slider.value = 12; slider.dispatchEvent(new Event('input', { bubbles: true })); })()""")
    facts["slider tells alarms and misses"] = await browser.until(f"/Sensitivity 0.60: .*false alarms.*missed/.test({text('model-expected')})")
    await click("try-browser")
    facts["the browser's recording is detected"] = await browser.until(f"{text('try-state')}.startsWith('Detected')", 60)
    await click("model-use")
    facts["model is installed"] = await browser.until(f"{text('model-state')}.startsWith('Installed')")
    await click("try-service")
    facts["the service detects the phrase"] = await browser.until(f"/^Detected (once|. times)/.test({text('try-state')})", 120)
    name = phrase.replace(" ", "_")
    await browser.run("location.hash = 'clips'")
    await browser.run("document.getElementById('clips-play').checked = false")
    choose = f"""(() => {{ location.hash = 'live'; location.hash = 'clips'; const filter = document.getElementById('clips-filter');
      const all = [...filter.elements.keyword.options].map((one) => one.value); if (!all.includes('{name}')) return false;
      filter.elements.keyword.value = '{name}'; filter.elements.keyword.dispatchEvent(new Event('change', {{ bubbles: true }})); return true; }})()"""
    facts["its clip is kept"] = await browser.until(choose, 120)
    facts["its clip is shown"] = await browser.until(f"!document.getElementById('clip').hidden && {text('clip-title')}.startsWith('{name}')")
    await browser.key("n")
    facts["false alarm is marked"] = await browser.until(f"{text('clips-state')}.endsWith(': false alarm')")
    await browser.run("location.hash = 'live'")
    await browser.run("location.hash = 'clips'")
    facts["model can be improved"] = await browser.until(f"""(() => {{ const select = document.getElementById('improve-model');
      select.value = '{name}'; select.dispatchEvent(new Event('change', {{ bubbles: true }})); return select.value === '{name}'; }})()""")
    began = time.monotonic()
    await click("improve-start")
    await browser.until(f"{text('work-title')}.startsWith('Improving')")
    facts["improvement ends"] = await browser.until(f"['Done', 'Fail'].includes({text('work-state')}.slice(0, 4))", hour)
    print(f"improvement: {time.monotonic() - began:.0f} s, {await browser.run(text('work-state'))}", file=sys.stderr)
    facts["before and after are shown"] = await browser.until("document.querySelectorAll('#improve-table tbody tr').length > 2")
    facts["both curves are shown"] = await browser.until("document.querySelectorAll('#improve-legend li').length === 2")
    await click("improve-use")
    facts["new version is in use"] = await browser.until("!document.getElementById('improve-restore').hidden")
    await click("improve-restore")
    facts["old version is back"] = await browser.until(f"{text('improve-state')}.startsWith('The previous version')")
    facts["no fault is shown at the end"] = await browser.run("document.getElementById('fault').hidden")
    return facts


async def main(url, pictures, microphone, phrase, is_whole):
    folder = tempfile.mkdtemp(prefix="hotword-chromium-")
    chromium = subprocess.Popen(
        [shutil.which("chromium"), "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--mute-audio",
         "--disable-background-networking", "--disable-component-update", "--remote-debugging-port=0",
         f"--user-data-dir={folder}"]
        + ([f"--use-file-for-fake-audio-capture={microphone}", "--use-fake-device-for-media-stream",
            "--use-fake-ui-for-media-stream"] if microphone else []) + ["about:blank"],
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
            await browser.until("document.querySelector('nav a[aria-current]') !== null")
            paint = await browser.run("performance.getEntriesByType('paint').find((e) => e.name === 'first-contentful-paint')?.startTime ?? null")
            size = browser.bytes
            found = await look(browser, VIEWS, pictures)
            facts = {} if is_whole else await use(browser)
            if phrase:
                facts |= await teach(browser, phrase, is_whole)
                found += await look(browser, ["teach", "clips"], pictures)
            reader.cancel()
            hosts = sorted({u for u in browser.requests.values() if not u.startswith((url, "blob:", "about:", "data:"))})
            print(json.dumps({
                "facts": facts, "accessibility": found, "problems": browser.problems, "otherHosts": hosts,
                "bytes": size, "firstPaintMilliseconds": paint}), flush=True)
    finally:
        os.killpg(chromium.pid, signal.SIGTERM)
        chromium.wait()
        shutil.rmtree(folder, ignore_errors=True)


parser = argparse.ArgumentParser()
parser.add_argument("log")
parser.add_argument("url")
for option in ("--pictures", "--microphone", "--teach"):
    parser.add_argument(option)
parser.add_argument("--whole", action="store_true")
options = parser.parse_args()
asyncio.run(main(options.url, options.pictures, options.microphone, options.teach, options.whole))
