"""plan run --report: the page as a browser shows it."""
import json

from harness.browser import Browser

HOSTILE = ("</pre></script><script>window.hacked=1</script><img src=x onerror='window.hacked=2'>"
           "<style>body{display:none}</style><!-- &amp; \" ' \\0")


def report(b, body, *words):
    b.write("project/plans/p.pp", f"plan site::p() {{\n{body}\n}}\n")
    page = b.folder / "report.html"
    run = b.run("plan", "run", "site::p", "--report", page, "--format", "json", *words)
    assert page.exists(), run
    return page


def opened(b, page, **settings):
    browser = Browser(**settings)
    b.undo(browser.close)
    browser.open(f"file://{page}")
    assert browser.complaints == [] and browser.requests == [f"file://{page}"], (browser.complaints, browser.requests)
    return browser


SHOWN = "[...document.querySelectorAll('main>*')].filter(row => row.getClientRects().length > 0)"
SETTLED = "new Promise(done => setTimeout(() => done(1), 300))"


def local(b, names):
    b.inventory(json.dumps({"config": {"transport": "local"}, "targets": names}))


def test_report_shows_the_timeline(b):
    """--report: steps by target in their order, plans, messages; failures show their output without a click"""
    local(b, ["alpha", "beta", "gamma"])
    b.write("project/plans/sub.pp", "plan site::sub() { return run_command('echo from the sub plan', 'gamma') }\n")
    page = report(b, "run_command('echo first', ['alpha', 'beta'], 'the first step')\nout::message('half way')\n"
                     "run_plan('site::sub')\n"
                     "parallelize(['alpha', 'beta']) |$t| { run_command(\"sleep 0.3; echo in parallel on ${t}\", $t, \"side ${t}\") }\n"
                     "run_command('echo why it went wrong >&2; exit 3', ['alpha', 'gamma'], _catch_errors => true)\n"
                     "fail_plan('given up')")
    browser = opened(b, page)
    rows = browser.evaluate(f"{SHOWN}.map(row => row.innerText)")
    assert len(rows) == 10, rows
    names = [row.split("\n")[0] for row in rows if "plan site::p" not in row]
    assert names[0].startswith("alpha the first step") and names[1].startswith("beta the first step"), rows
    assert names[2] == "half way" and names[3].startswith("plan site::sub") and names[4].startswith("gamma "), rows
    assert {name[:15].strip() for name in names[5:7]} == {"alpha side alph", "beta side beta"}, rows
    text = browser.evaluate("document.body.innerText")
    assert "Plan site::p: failed" in text and "given up" in text and "7 results, 2 failed" in text, text
    assert text.count("why it went wrong") == 4, "the output of failures, and the command in its line"
    assert "\necho first" not in text and "in parallel on" not in text.replace("echo in parallel", ""), "others unfold on a click"
    browser.evaluate("document.querySelector('summary').click()")
    assert browser.evaluate("document.querySelector('details').innerText").endswith("first\n") or \
        "first" in browser.evaluate("document.querySelector('details pre').innerText")
    bars = browser.evaluate("[...document.querySelectorAll('.bar i')].map(bar => [bar.offsetLeft, bar.offsetWidth, bar.parentNode.offsetWidth])")
    assert all(left >= 0 and width >= 2 and left + width <= whole + 2 for left, width, whole in bars), bars


def test_report_is_searched(b):
    """--report: the search finds targets, steps and output, whatever their case; failures alone can be shown"""
    local(b, [f"node{i}" for i in range(20)])
    page = report(b, "run_command('echo plain', 'all', 'common step')\nrun_command('echo hidden NEEDLE', 'node7', 'special')\n"
                     "run_command('echo broken; false', ['node3', 'node4'], _catch_errors => true)\nout::message('a needle, too')")
    browser = opened(b, page)
    count = f"{SHOWN}.length"
    assert browser.evaluate(count) == 25 and browser.evaluate("shown.textContent") == "25 of 25 lines"

    def search(text):
        browser.evaluate("(search.focus(), search.select())")
        browser.type(text)
        browser.evaluate(SETTLED)
        return browser.evaluate(f"{SHOWN}.map(row => row.innerText)")
    found = search("needle")
    assert len(found) == 2 and "node7 special" in found[0] and found[1] == "a needle, too", found
    assert len(search("Node1")) == 11 and len(search("COMMON")) == 20
    assert search("nothing like it") == [] and browser.evaluate("shown.textContent") == "0 of 25 lines"
    search("node")
    browser.evaluate("only.click()")
    found = browser.evaluate(f"{SHOWN}.map(row => row.innerText)")
    assert len(found) == 2 and all("broken" in row for row in found), found
    assert browser.complaints == []


def test_report_on_a_phone(b):
    """--report: on a narrow screen nothing is wider than it, however long words and names are"""
    long_name = "a-very-long-name-of-a-target-" * 6
    local(b, [long_name, "short"])
    page = report(b, "out::message(" + repr("m" * 500) + ")\n"
                     f"run_command('printf %0600d 7; false', 'all', '{'step-' * 60}', _catch_errors => true)\n"
                     f"fail_plan('{'e' * 400}')")
    for width in (320, 390):
        browser = opened(b, page, width=width, height=700, phone=True)
        browser.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert browser.evaluate("window.innerWidth") == width, "the page sets its own width"
        assert browser.evaluate("document.documentElement.scrollWidth") <= width
        wide = browser.evaluate("[...document.querySelectorAll('body *')].filter(one => one.getBoundingClientRect().right > innerWidth + 1)"
                                ".map(one => one.tagName + ' ' + one.textContent.slice(0, 40))")
        assert wide == [], wide
        small = browser.evaluate("parseFloat(getComputedStyle(document.querySelector('pre')).fontSize)")
        assert small >= 12, small


def test_report_of_hostile_output(b):
    """--report: markup, NUL, control characters, bytes that are not text and a megabyte do no harm"""
    local(b, ["evil", "noisy"])
    b.write("project/files/hostile.txt", HOSTILE)
    b.write("project/files/bytes.bin", b"\x00\x01\x1b[31mred\xff\xfe\xed\xa0\x80 end\x00")
    files = b.project / "files"
    page = report(b, f"run_command('cat {files}/hostile.txt; exit 1', 'evil', \"step {HOSTILE[:60]}\", _catch_errors => true)\n"
                     f"out::message(file::read('{files}/hostile.txt'))\n"
                     f"run_command('cat {files}/bytes.bin; exit 1', 'evil', _catch_errors => true)\n"
                     "run_command('yes 0123456789 | head -c 1000000; echo the very end', 'noisy')\n"
                     "run_command('echo the begin; head -c 1000000 /dev/zero; echo the very end; exit 1', 'noisy', _catch_errors => true)\n"
                     f"fail_plan(file::read('{files}/hostile.txt'))")
    assert page.stat().st_size < 800_000, page.stat().st_size
    assert b"\0" not in page.read_bytes()
    browser = opened(b, page)
    assert browser.evaluate("[typeof window.hacked, document.images.length, document.scripts.length, document.querySelectorAll('style').length]") == \
        ["undefined", 0, 1, 1]
    outputs = browser.evaluate("[...document.querySelectorAll('details pre')].map(one => one.textContent)")
    assert HOSTILE.split("\\0")[0] in outputs[0], outputs[0]
    assert browser.evaluate("document.querySelector('.message').textContent").startswith(HOSTILE[:60])
    assert "\u2400\u2401\u241b[31mred" in outputs[1] and "end\u2400" in outputs[1], repr(outputs[1])
    assert "bytes are left out of this page" in outputs[2] and outputs[2].rstrip().endswith("the very end") and len(outputs[2]) < 9000
    assert "the begin" in outputs[3] and outputs[3].rstrip().endswith("the very end") and "left out" in outputs[3]
    assert browser.evaluate(f"{SHOWN}.length") == 6, "the page is there to be seen"


def test_report_of_many_steps(b):
    """--report: a thousand results, some with much output: the page stays one that can be opened and searched"""
    local(b, [f"t{i}" for i in range(200)])
    page = report(b, "$r = Array(Integer[1, 5]).map |$n| { run_command(\"head -c 20000 /dev/zero | tr '\\\\0' x; echo round ${n}\", 'all') }\n"
                     "return $r.length", "--concurrency", "20")
    assert page.stat().st_size < 12_000_000, page.stat().st_size
    browser = opened(b, page)
    assert browser.evaluate("shown.textContent") == "1001 of 1001 lines"
    browser.evaluate("search.focus()")
    browser.type("round 3")
    browser.evaluate(SETTLED)
    assert browser.evaluate("shown.textContent") == "200 of 1001 lines"
