# Reads one JSON value and prints a line for each text, number, true, false and null in it: the keys and positions that
# lead to it, then the value, with tabs between. Backslash, newline and tab are written \\ \n \t; `printf %b` takes them
# back. Prints nothing and ends with 1 when the input is not JSON. Run it with LC_ALL=C: it works on bytes.
#
#     printf '%s' "$PT_headers" | LC_ALL=C awk -f json.awk | while IFS="$tab" read -r name value; do ...

{ text = text $0 "\n" }

END {
    size = length(text)
    at = 1
    read_value("", 0)
    skip_blanks()
    if (at <= size) not_json()
    printf "%s", lines
}

function not_json() { lines = ""; exit 1 }

function skip_blanks() {
    while (at <= size && index(" \t\r\n", substr(text, at, 1)) > 0) at++
}

function read_value(path, depth,    first) {
    if (depth > 100) not_json()
    skip_blanks()
    first = substr(text, at, 1)
    if (first == "{") read_members(path, depth, "}")
    else if (first == "[") read_members(path, depth, "]")
    else if (first == "\"") lines = lines path escaped(read_text()) "\n"
    else lines = lines path read_word() "\n"
}

function read_members(path, depth, last,    count, key, mark) {
    at++
    skip_blanks()
    if (substr(text, at, 1) == last) { at++; return }
    for (count = 0; ; count++) {
        key = count
        if (last == "}") {
            skip_blanks()
            if (substr(text, at, 1) != "\"") not_json()
            key = escaped(read_text())
            skip_blanks()
            if (substr(text, at++, 1) != ":") not_json()
        }
        read_value(path key "\t", depth + 1)
        skip_blanks()
        mark = substr(text, at++, 1)
        if (mark == last) return
        if (mark != ",") not_json()
    }
}

function read_word(    piece) {
    piece = substr(text, at, 300)
    if (!match(piece, /^(true|false|null|-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?)/)) not_json()
    at += RLENGTH
    return substr(piece, 1, RLENGTH)
}

function read_text(    out, piece, mark) {
    at++
    out = ""
    while (at <= size) {
        piece = substr(text, at, 500)
        if (!match(piece, /["\\]/)) { out = out piece; at += length(piece); continue }
        out = out substr(piece, 1, RSTART - 1)
        at += RSTART
        if (substr(piece, RSTART, 1) == "\"") return out
        mark = substr(text, at++, 1)
        if (mark == "u") out = out read_code()
        else if (index("\"\\/", mark) > 0 && mark != "") out = out mark
        else if (index("bfnrt", mark) > 0 && mark != "") out = out substr("\b\f\n\r\t", index("bfnrt", mark), 1)
        else not_json()
    }
    not_json()
}

function read_hex(    number, i, digit) {
    number = 0
    for (i = 0; i < 4; i++) {
        digit = index("0123456789abcdef", tolower(substr(text, at++, 1)))
        if (digit == 0) not_json()
        number = number * 16 + digit - 1
    }
    return number
}

# A code point as UTF-8; two halves of a pair are one.
function read_code(    code) {
    code = read_hex()
    if (code >= 55296 && code < 56320 && substr(text, at, 2) == "\\u") {
        at += 2
        code = 65536 + (code - 55296) * 1024 + (read_hex() - 56320)
    }
    if (code == 0) return ""
    if (code < 128) return sprintf("%c", code)
    if (code < 2048) return sprintf("%c%c", 192 + int(code / 64), 128 + code % 64)
    if (code < 65536) return sprintf("%c%c%c", 224 + int(code / 4096), 128 + int(code / 64) % 64, 128 + code % 64)
    return sprintf("%c%c%c%c", 240 + int(code / 262144), 128 + int(code / 4096) % 64, 128 + int(code / 64) % 64, 128 + code % 64)
}

function replaced(out, what, by,    parts, count, i) {
    count = split(out, parts, what)
    out = parts[1]
    for (i = 2; i <= count; i++) out = out by parts[i]
    return count == 0 ? "" : out
}

function escaped(out) {
    gsub(/\\/, "&&", out)
    return replaced(replaced(out, "\n", "\\n"), "\t", "\\t")
}
