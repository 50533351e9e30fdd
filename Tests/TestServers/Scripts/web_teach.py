"""Teaches a phrase on the page of `hotword run --web`: a part of web_page.py."""

import json
import sys
import time

HOUR = 3600


async def teach(browser, phrase, is_whole):
    """Adds a phrase, records it, trains it. Returns the facts by name."""
    facts = {}
    text = lambda id: f"document.getElementById('{id}').textContent"
    click = lambda id: browser.run(f"document.getElementById('{id}').click()", gesture=True)
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
        return facts | await try_model(browser) | await improve(browser, phrase.replace(" ", "_"))
    await click("work-cancel")
    facts["training is cancelled"] = await browser.until(f"{text('work-state')} === 'Cancelled'", 60)
    await browser.until("document.querySelectorAll('#takes li').length === 3")
    await browser.run("document.querySelector('#takes li button:nth-of-type(2)').click()")
    facts["take is deleted"] = await browser.until("document.querySelectorAll('#takes li').length === 2")
    facts["teaching shows no fault"] = await browser.run("document.getElementById('fault').hidden")
    return facts


async def try_model(browser):
    """Waits for the model, tries it, and installs it. Returns the facts by name."""
    facts = {}
    text = lambda id: f"document.getElementById('{id}').textContent"
    click = lambda id: browser.run(f"document.getElementById('{id}').click()", gesture=True)
    began = time.monotonic()
    facts["training ends"] = await browser.until(f"['Done', 'Fail'].includes({text('work-state')}.slice(0, 4))", HOUR)
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
    return facts


async def improve(browser, name):
    """Labels a clip as a false alarm, improves the model, and compares both versions. Returns the facts by name."""
    facts = {}
    text = lambda id: f"document.getElementById('{id}').textContent"
    click = lambda id: browser.run(f"document.getElementById('{id}').click()")
    await browser.run("location.hash = 'clips'")
    await browser.run("document.getElementById('clips-play').checked = false")
    choose = f"""(() => {{ const filter = document.getElementById('clips-filter');
      filter.elements.label.dispatchEvent(new Event('change', {{ bubbles: true }}));
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
    facts["improvement ends"] = await browser.until(f"['Done', 'Fail'].includes({text('work-state')}.slice(0, 4))", HOUR)
    print(f"improvement: {time.monotonic() - began:.0f} s, {await browser.run(text('work-state'))}", file=sys.stderr)
    facts["before and after are shown"] = await browser.until("document.querySelectorAll('#improve-table tbody tr').length > 2")
    facts["both curves are shown"] = await browser.until("document.querySelectorAll('#improve-legend li').length === 2")
    await click("improve-use")
    facts["new version is in use"] = await browser.until("!document.getElementById('improve-restore').hidden")
    await click("improve-restore")
    facts["old version is back"] = await browser.until(f"{text('improve-state')}.startsWith('The previous version')")
    facts["no fault is shown at the end"] = await browser.run("document.getElementById('fault').hidden")
    return facts
