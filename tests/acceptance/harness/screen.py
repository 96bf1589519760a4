"""A terminal's screen, of what programs that do not take it over use: text, line ends, and the escapes that move up and erase."""
import codecs
import re
import unicodedata

ESCAPE = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])")


class Screen:
    """Feed it bytes; `rows()` is what stands on it, `scrolled` what has gone off at its top."""

    def __init__(self, columns=80, lines=24):
        self.columns, self.lines = columns, lines
        self.cells, self.scrolled = [[]], []
        self.row = self.column = 0
        self.pending, self.decoder = "", codecs.getincrementaldecoder("utf-8")("replace")

    def feed(self, data):
        text, self.pending = self.pending + self.decoder.decode(data), ""
        at = 0
        while at < len(text):
            if text[at] == "\x1b":
                found = ESCAPE.match(text, at)
                if not found:
                    assert len(text) - at < 16, f"an escape that this screen does not know: {text[at:at + 16]!r}"
                    self.pending = text[at:]
                    return
                self.escape(found.group(1), found.group(2))
                at = found.end()
                continue
            self.character(text[at])
            at += 1

    def escape(self, argument, name):
        count = int(argument) if argument.isdigit() else 1
        if name == "A":
            self.row = max(0, self.row - count)
        elif name == "C":
            self.column = min(self.columns - 1, self.column + count)
        elif name == "K":
            del self.cells[self.row][self.column:]
        elif name == "J":
            del self.cells[self.row][self.column:]
            del self.cells[self.row + 1:]
        else:
            assert name == "m", f"an escape that this screen does not know: {argument}{name}"

    def new_line(self):
        self.row += 1
        if self.row == len(self.cells):
            self.cells.append([])
        if len(self.cells) > self.lines:
            self.scrolled.append("".join(self.cells.pop(0)))
            self.row -= 1

    def character(self, one):
        if one == "\r":
            self.column = 0
        elif one == "\n":
            self.new_line()
        elif unicodedata.combining(one):
            pass
        else:
            assert one.isprintable() or one in "\a\t", f"a control character reached the screen: {one!r}"
            wide = 2 if unicodedata.east_asian_width(one) in "WF" else 1
            if self.column + wide > self.columns:
                self.column = 0
                self.new_line()
            row = self.cells[self.row]
            row += [" "] * (self.column - len(row))
            row[self.column:self.column + wide] = [one] + [""] * (wide - 1)
            self.column += wide

    def rows(self):
        return ["".join(row).rstrip() for row in self.cells]
