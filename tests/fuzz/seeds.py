#!/usr/bin/env python3
"""seeds.py NAME FOLDER [MOST]: writes what a fuzzer begins with into FOLDER, made from the recorded cases of
tests/conformance, so that the repository need not hold them twice. At most MOST files (400), spread evenly over the
cases; fuzzers that have nothing to do with the language get none."""
import hashlib
import json
import sys
from pathlib import Path

CASES = Path(__file__).resolve().parents[1] / "conformance" / "expected"
LONGEST = 3000


def cases(*areas):
    for path in sorted(CASES.rglob("*.json")):
        if not areas or path.relative_to(CASES).parts[0] in areas:
            yield from json.loads(path.read_text(encoding="utf-8"))


def codes(*modes):
    for case in cases():
        if case.get("mode") in modes and isinstance(case.get("code"), str):
            yield case["code"]


def files(suffix):
    for case in cases():
        for name, text in (case.get("files") or {}).items():
            if name.endswith(suffix) and isinstance(text, str):
                yield text


def templates():
    yield from files(".epp")
    for code in codes("eval"):
        if "inline_epp(" in code:
            yield code.split("inline_epp(", 1)[1]


def ruby_templates():
    yield from files(".erb")
    for code in codes("eval", "catalog"):
        if "inline_template(" in code:
            yield code.split("inline_template(", 1)[1]


def hiera():
    """The first byte says what the rest is."""
    for text in files("hiera.yaml"):
        yield "0" + text
    for case in cases("hiera"):
        for name, text in (case.get("files") or {}).items():
            if name.endswith(".yaml") and not name.endswith("hiera.yaml"):
                yield "1" + text
            if name.endswith((".conf", ".json")):
                yield "2" + text


def rich_data():
    for case in cases():
        value = (case.get("expect") or {}).get("value")
        if isinstance(value, (dict, list)):
            yield json.dumps(value, ensure_ascii=False)


def trees():
    """Of programs and templates; the first byte says which."""
    for code in codes("parse", "eval", "catalog"):
        yield "0" + code
    for text in templates():
        yield "1" + text


SEEDS = {
    "language_fuzz": lambda: list(codes("parse", "eval", "catalog")) + list(templates()),
    "pn": trees,
    "epp": templates,
    "erb": ruby_templates,
    "compiler": lambda: codes("catalog", "eval"),
    "hiera_data": hiera,
    "rich_data": rich_data,
}


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    name, folder = sys.argv[1], Path(sys.argv[2])
    most = int(sys.argv[3]) if len(sys.argv) > 3 else 400
    folder.mkdir(parents=True, exist_ok=True)
    texts = sorted({text for text in SEEDS.get(name, list)() if len(text) <= LONGEST})
    step = max(1.0, len(texts) / most)
    for index in range(min(most, len(texts))):
        data = texts[int(index * step)].encode("utf-8", "surrogatepass")
        (folder / hashlib.sha1(data).hexdigest()[:16]).write_bytes(data)


if __name__ == "__main__":
    main()
