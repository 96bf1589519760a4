"""Reads the frames of the journal and of plan logs from their bytes, without Volley (docs/journal.md, "The files")."""
import json

FIRST_WORDS = b"volley-record 2 "


def frames_of(path):
    """The whole frames of a file, with the bytes of their output under "bytes"."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return []
    if not data:
        return []
    first, _, rest = data.partition(b"\n")
    assert first.startswith(FIRST_WORDS), first
    frames = []
    while b"\n" in rest:
        version, _check, number, content, output, _ = rest.split(b" ", 5)
        assert version == b"2" and int(number) == len(frames) + 1, rest[:80]
        begin = len(b" ".join(rest.split(b" ", 5)[:5])) + 1
        end = begin + int(content) + (1 + int(output) if int(output) else 0) + 1
        if end > len(rest):
            break
        frame = json.loads(rest[begin:begin + int(content)])
        frames.append({**frame, "bytes": rest[begin + int(content) + 1:end - 1]} if int(output) else frame)
        rest = rest[end:]
    return frames


def outcomes_in(path, status="success"):
    return [frame for frame in frames_of(path) if frame["frame"] == "outcome" and frame["status"] == status]
