#!/usr/bin/env python3
"""Opens pages of `yose report` in headless Chromium, and uses them as a reader does.

    scripts/report-browser-test.py [--yose target/release/yose] [--screenshots FOLDER] [--axe FILE]

It makes the results of small lists in a temporary folder, and pages of them. In each page there
must be no error on the console, no request to anywhere, every plot and board, and no part that is
wider than a narrow screen. Sorting, filtering and stepping must work, also by the keyboard. Texts
must have the contrast of WCAG 2.2, level AA.

With `--also KIND PLOTS STEPPERS FILE...` it does the same with a page of results that you have:
KIND is solve, verify, review or two, followed by the number of plots and of boards to step through.

With `--axe`, the file `axe.min.js` of the package axe-core of npm, the pages are also checked by
its rules for WCAG 2.2, levels A and AA.

It needs the Python package playwright, and a Chromium (`--chromium`, or one on the path). Without
one of them it says so and ends with status 77.
"""

import argparse
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SKIPPED = 77
GAME = (
    "f5d6c3d3c4f4f6g5e3f3g4h3e6g3g6f7h4h5c7d2e2c2d1c1e1f1f2e7e8c6"
    "d7c8f8d8b8c5b6b4b5g1a3b3a2a4a5b2g2h1h2a7a6a1b1b7a8g7h8g8h6h7"
)
HOSTILE = "<script>window.hacked=1</script>\"'><img src=x onerror=window.hacked=1>\u202eabc"

# The contrast of the text of every element against its background, by WCAG 2.2, 1.4.3.
CONTRAST = """() => {
  const channel = (c) => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const colour = (text) => text.match(/[\\d.]+/g).map(Number);
  const faults = [];
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || element.closest('svg, script, style, [hidden]')) continue;
    let behind = element;
    while (behind && colour(getComputedStyle(behind).backgroundColor)[3] === 0) behind = behind.parentElement;
    const back = behind ? colour(getComputedStyle(behind).backgroundColor) : [255, 255, 255];
    const [one, other] = [light(colour(getComputedStyle(element).color)), light(back)].sort().reverse();
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (ratio < 4.5) faults.push(element.outerHTML.slice(0, 80) + ' ' + ratio.toFixed(2));
  }
  return faults;
}"""


def results(yose, folder):
    """Files of results: name of the page, its files, and how many plots and steppers it has."""

    def run(*words, expected=(0,)):
        done = subprocess.run([yose, *words], cwd=folder, capture_output=True, text=True)
        assert done.returncode in expected, (words, done.stderr)
        return done.stdout

    positions = ROOT / "positions"
    run("solve", str(positions / "ffo-1-19.obf"), "--deterministic", "-o", "a.jsonl")
    run("solve", str(positions / "ffo-1-19.obf"), "-o", "b.jsonl")
    run("verify", str(positions / "games.wtb"), "-o", "claims.jsonl", expected=(0, 1))
    board = "----OX----OOXX---OOOXX-XOOXXOOOOOXXOXXOOOXXXOOOOOXXXXOXO--OOOOOX"
    (folder / "wrong.obf").write_text(f"{board} X; d1:+4;\n")
    run("verify", "wrong.obf", "-o", "refuted.jsonl", expected=(1,))
    moves = [GAME[at : at + 2] for at in range(0, len(GAME), 2)]
    text = "".join(f"{'BW'[n % 2]}[{move}]" for n, move in enumerate(moves))
    name = HOSTILE.replace("[", "").replace("]", "")
    (folder / "games.ggf").write_text(f"(;GM[Othello]PB[{name}]PW[Bob]TY[8]{text};)\n" * 3)
    run("review", "games.ggf", "--from", "14", "-o", "review.jsonl")
    line = json.loads((folder / "a.jsonl").read_text().splitlines()[1])
    draw = random.Random(1)
    with open(folder / "long.jsonl", "w") as file:
        for n in range(10_000):
            line |= {"id": f"{HOSTILE if n == 0 else 'long list'}:{n}", "nodes": draw.randrange(10**6)}
            file.write(json.dumps(line) + "\n")
    return [
        ("solve", ["a.jsonl"], 4, 0),
        ("verify", ["claims.jsonl", "refuted.jsonl"], 0, 1),
        ("review", ["review.jsonl"], 3, 3),
        ("two", ["a.jsonl", "b.jsonl"], 10, 0),
        ("long", ["long.jsonl"], 4, 0),
    ]


def check_stepper(page):
    """The buttons and the arrow keys of the first stepper."""
    stepper = page.locator(".stepper").first
    caption = stepper.locator(".caption")
    # Buttons that have nothing to do are not enabled: First is not at the first position.
    stepper.locator("button[data-action=next]").click()
    stepper.locator("button[data-action=first]").click()
    assert not stepper.locator("button[data-action=back]").is_enabled()
    first = caption.inner_text()
    assert stepper.locator("circle.x, circle.o").count() > 4
    stepper.locator("button[data-action=next]").click()
    second = caption.inner_text()
    assert first != second, "a button steps"
    stepper.focus()
    page.keyboard.press("ArrowLeft")
    assert caption.inner_text() == first, "a key steps"
    page.keyboard.press("End")
    assert caption.inner_text() not in (first, ""), "the last step"
    row = page.locator("tr[data-step]").first
    if not row.count():
        return
    row.click()
    assert "now" in row.get_attribute("class")
    # The graph and the boards of the costliest mistakes lead to positions too.
    cursor = page.locator(".cursor").first
    left = cursor.evaluate("(element) => element.style.left")
    page.locator(".game .drawing").first.click()
    assert cursor.evaluate("(element) => element.style.left") != left, "the graph steps"
    link = page.locator("a[data-step]").first
    link.click()
    game = page.locator(link.get_attribute("href"))
    now = game.locator("tr.now").get_attribute("data-step")
    assert now == link.get_attribute("data-step"), "a link steps"


def check_table(page):
    """Sorting and filtering of the first table."""
    table = page.locator("table.sortable[data-board]").first
    heads = table.locator("thead th")
    nodes = heads.nth(4)

    def column(limit=5):
        cells = table.locator("tbody tr:not([hidden]) td:nth-child(5)").all()[:limit]
        return [int(cell.inner_text().replace(",", "")) for cell in cells]

    nodes.locator("button").click()
    assert nodes.get_attribute("aria-sort") == "ascending"
    up = column()
    assert up == sorted(up), up
    nodes.locator("button").focus()
    page.keyboard.press("Enter")
    assert nodes.get_attribute("aria-sort") == "descending"
    down = column()
    assert down == sorted(down, reverse=True) and down[0] >= up[-1], down
    rows = table.locator("tbody tr")
    word = rows.first.locator("td").first.inner_text().split(":")[-1]
    search = page.locator(".filter input").first
    search.fill(":" + word)
    shown = table.locator("tbody tr:not([hidden])").count()
    assert 0 < shown < rows.count(), shown
    assert page.locator(".filter output").first.inner_text().startswith(f"{shown} of ")
    search.fill("no such row")
    assert table.locator("tbody tr:not([hidden])").count() == 0
    search.fill("")
    panel = page.locator(".panel").first
    caption = panel.locator(".caption")
    assert panel.is_visible() and panel.locator("circle").count() > 4, "the first row has a board"
    rows.nth(1).hover()
    assert caption.inner_text().startswith(rows.nth(1).locator("td").first.inner_text())
    # By the keyboard: the region of the table has the focus, and the arrow keys choose a row.
    page.mouse.move(0, 0)
    page.locator(".tall").first.focus()
    page.keyboard.press("End")
    last = table.locator("tr.now td").first.inner_text()
    assert last == rows.last.locator("td").first.inner_text(), "End leads to the last row"
    page.keyboard.press("Home")
    chosen = table.locator("tr.now td").first.inner_text()
    assert chosen == rows.first.locator("td").first.inner_text(), "Home leads to the first row"
    page.keyboard.press("ArrowDown")
    assert table.locator("tr.now").count() == 1
    lower = table.locator("tr.now td").first.inner_text()
    assert lower != chosen and caption.inner_text().startswith(lower), (chosen, lower)


def check_axe(page, axe):
    """What axe-core finds: rules of WCAG 2.2, levels A and AA."""
    page.evaluate(axe)
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
    found = page.evaluate("(tags) => axe.run({ runOnly: tags })", tags)
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:120]} ({len(one['nodes'])} times)"
        for one in found["violations"]
    ]


def check_page(page, path, plots, steppers):
    """What must hold in every page."""
    start = time.monotonic()
    page.goto(path.as_uri())
    loaded = time.monotonic() - start
    assert page.locator(".plot svg").count() == plots, page.locator(".plot svg").count()
    assert page.locator(".stepper").count() == steppers
    for board in page.locator("svg.board").all()[:50]:
        assert board.get_attribute("aria-label")
    for selector in ("table caption", "th[scope=col]", "html[lang]", "main", "h1"):
        assert page.locator(selector).count() > 0, selector
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"the page is {wide} pixels wider than the screen"
    assert page.evaluate("window.hacked") is None, "a name was run as a script"
    assert page.locator("bdi img").count() == 0
    return loaded


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--yose", default=str(ROOT / "target/release/yose"))
    names = ("chromium", "chromium-browser", "google-chrome")
    found = next(filter(None, map(shutil.which, names)), None)
    parser.add_argument("--chromium", default=found)
    parser.add_argument("--screenshots", type=pathlib.Path)
    parser.add_argument("--axe", type=pathlib.Path)
    parser.add_argument("--also", nargs="+", action="append", default=[])
    arguments = parser.parse_args()
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("skipped: the Python package playwright is not installed")
        return SKIPPED
    if arguments.chromium is None:
        print("skipped: there is no Chromium on the path")
        return SKIPPED

    views = [("light", 1200, "light"), ("dark", 1200, "dark"), ("narrow", 360, "light")]
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        folder = pathlib.Path(temporary)
        yose = str(pathlib.Path(arguments.yose).resolve())
        pages = [(kind, kind, *rest) for kind, *rest in results(yose, folder)]
        for number, (kind, plots, steppers, *files) in enumerate(arguments.also, 1):
            files = [pathlib.Path(file).resolve() for file in files]
            pages.append((f"also-{number}-{kind}", kind, files, int(plots), int(steppers)))
        browser = playwright.chromium.launch(
            executable_path=arguments.chromium, args=["--no-sandbox"]
        )
        for name, kind, files, plots, steppers in pages:
            path = folder / f"{name}.html"
            subprocess.run([yose, "report", *files, "-o", path], cwd=folder, check=True)
            assert path.stat().st_size < 2_000_000, path.stat().st_size
            for view, width, scheme in views:
                page = browser.new_page(
                    viewport={"width": width, "height": 900}, color_scheme=scheme
                )
                # A busy machine may take long to draw the longest page.
                page.set_default_timeout(120_000)
                faults = []
                page.on("console", lambda one: faults.append(one.text) if one.type == "error" else 0)
                page.on("pageerror", lambda error: faults.append(str(error)))
                page.on("request", lambda one: faults.append(one.url) if one.url[:5] != "file:" else 0)
                loaded = check_page(page, path, plots, steppers)
                if kind != "long":
                    faults += page.evaluate(CONTRAST)
                    if arguments.axe:
                        faults += check_axe(page, arguments.axe.read_text())
                if arguments.screenshots:
                    arguments.screenshots.mkdir(parents=True, exist_ok=True)
                    height = min(3000, page.evaluate("document.documentElement.scrollHeight"))
                    page.screenshot(
                        path=arguments.screenshots / f"{name}-{view}.png",
                        full_page=True,
                        clip={"x": 0, "y": 0, "width": width, "height": height},
                    )
                    if view == "light":
                        page.pdf(path=arguments.screenshots / f"{name}.pdf")
                if steppers:
                    check_stepper(page)
                if kind in ("solve", "two", "long"):
                    check_table(page)
                assert not faults, (name, view, faults[:5])
                page.close()
            print(f"{name}: {path.stat().st_size:,} bytes, loaded in {loaded:.2f} s")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
