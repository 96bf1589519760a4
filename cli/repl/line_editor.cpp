#include "cli/repl/line_editor.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "cli/repl/line_buffer.hpp"
#include "support/unicode/utf8.hpp"

namespace volley::cli {
namespace {

constexpr char control(char letter) { return static_cast<char>(letter & 0x1f); }

/// Keys come one by one and unseen while it lives.
class RawTerminal {
public:
    explicit RawTerminal(int fd) : fd_(fd) {
        if (::tcgetattr(fd_, &before_) != 0) return;
        termios raw = before_;
        raw.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON | ISIG | IEXTEN);
        raw.c_iflag &= ~static_cast<tcflag_t>(IXON | ICRNL);
        raw.c_cc[VMIN] = 1;
        raw.c_cc[VTIME] = 0;
        active_ = ::tcsetattr(fd_, TCSADRAIN, &raw) == 0;
    }
    ~RawTerminal() {
        if (active_) ::tcsetattr(fd_, TCSADRAIN, &before_);
    }
    RawTerminal(const RawTerminal&) = delete;
    RawTerminal& operator=(const RawTerminal&) = delete;

private:
    int fd_;
    termios before_{};
    bool active_ = false;
};

/// The part of `text` from character `first` on, at most `count` characters.
std::string_view characters(std::string_view text, std::size_t first, std::size_t count) {
    text.remove_prefix(first_characters(text, first).size());
    return first_characters(text, count);
}

std::string common_beginning(const std::vector<std::string>& words) {
    std::string common = words.front();
    for (const std::string& word : words) {
        const auto end = std::mismatch(common.begin(), common.end(), word.begin(), word.end()).first;
        common.erase(end, common.end());
    }
    return common;
}

std::size_t terminal_width(int fd) {
    winsize size{};
    return ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

struct LineEditor::Line {
    const std::string& prompt;
    LineBuffer buffer;
};

LineEditor::LineEditor(int input, int output, const History& history, Completer completer)
    : input_(input), output_(output), history_(history), completer_(std::move(completer)) {}

void LineEditor::write(std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = ::write(output_, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(n));
    }
}

std::optional<char> LineEditor::byte() {
    char c = 0;
    for (;;) {
        const ssize_t n = ::read(input_, &c, 1);
        if (n == 1) return c;
        if (n < 0 && errno == EINTR) continue;
        return std::nullopt;
    }
}

LineEditor::Result LineEditor::read(const std::string& prompt) {
    const RawTerminal raw(input_);
    Line line{prompt, LineBuffer(history_.entries())};
    draw(line);
    for (;;) {
        const auto key = byte();
        const auto end = key ? handle(*key, line) : std::optional(End::Closed);
        if (!end) {
            draw(line);
            continue;
        }
        line.buffer.end();
        draw(line);
        write(*end == End::Interrupted ? "^C\r\n" : "\r\n");
        return {*end, line.buffer.text()};
    }
}

std::optional<LineEditor::End> LineEditor::handle(char key, Line& line) {
    LineBuffer& buffer = line.buffer;
    switch (key) {
        case '\r':
        case '\n':
            return End::Line;
        case control('C'):
            return End::Interrupted;
        case control('D'):
            if (buffer.text().empty()) return End::Closed;
            buffer.erase_after();
            break;
        case '\t':
            complete(line);
            break;
        case 0x7f:
        case control('H'):
            buffer.erase_before();
            break;
        case control('A'):
            buffer.home();
            break;
        case control('E'):
            buffer.end();
            break;
        case control('B'):
            buffer.left();
            break;
        case control('F'):
            buffer.right();
            break;
        case control('P'):
            buffer.older();
            break;
        case control('N'):
            buffer.newer();
            break;
        case control('K'):
            buffer.kill_to_end();
            break;
        case control('U'):
            buffer.kill_to_start();
            break;
        case control('W'):
            buffer.kill_word();
            break;
        case control('Y'):
            buffer.paste();
            break;
        case control('L'):
            write("\x1b[H\x1b[2J");
            break;
        case '\x1b':
            handle_escape(line);
            break;
        default:
            if (static_cast<unsigned char>(key) >= ' ') buffer.insert(whole_character(key));
    }
    return std::nullopt;
}

/// The character of UTF-8 that begins with this byte.
std::string LineEditor::whole_character(char first) {
    std::string character(1, first);
    for (std::size_t length = utf8_length_from(first); length > 1; --length) {
        if (const auto next = byte()) character += *next;
    }
    return character;
}

/// What follows Escape, if it comes at once: "[A", "OH", "[3~", "b".
std::string LineEditor::escape_sequence() {
    std::string sequence;
    for (;;) {
        pollfd waiting{input_, POLLIN, 0};
        if (::poll(&waiting, 1, 50) <= 0) return sequence;  // the key Escape alone
        const auto next = byte();
        if (!next) return sequence;
        sequence += *next;
        const bool introduced = sequence.size() == 1 && (*next == '[' || *next == 'O');
        const bool parameter = sequence.size() > 1 && ((*next >= '0' && *next <= '9') || *next == ';');
        if (!introduced && !parameter) return sequence;
    }
}

void LineEditor::handle_escape(Line& line) {
    LineBuffer& buffer = line.buffer;
    const std::string sequence = escape_sequence();
    const auto is = [&sequence](std::initializer_list<std::string_view> forms) {
        return std::find(forms.begin(), forms.end(), sequence) != forms.end();
    };
    if (is({"[A", "OA"})) return buffer.older();
    if (is({"[B", "OB"})) return buffer.newer();
    if (is({"[C", "OC"})) return buffer.right();
    if (is({"[D", "OD"})) return buffer.left();
    if (is({"[H", "OH", "[1~", "[7~"})) return buffer.home();
    if (is({"[F", "OF", "[4~", "[8~"})) return buffer.end();
    if (is({"[3~"})) return buffer.erase_after();
    if (is({"b", "[1;5D", "[1;3D"})) return buffer.word_left();
    if (is({"f", "[1;5C", "[1;3C"})) return buffer.word_right();
}

void LineEditor::complete(Line& line) {
    LineBuffer& buffer = line.buffer;
    const Completion completion = completer_(buffer.text(), buffer.cursor());
    if (completion.candidates.empty()) return write("\a");
    const std::string common = common_beginning(completion.candidates);
    const bool longer = common.size() > buffer.cursor() - completion.begin;
    if (longer || completion.candidates.size() == 1) return buffer.replace(completion.begin, common);
    std::string list = "\r\n";
    for (const std::string& candidate : completion.candidates) list += candidate + "  ";
    write(list + "\r\n");
}

/// The line on one row: of a long one the part around the cursor.
void LineEditor::draw(const Line& line) {
    std::string shown = line.buffer.text();
    std::replace(shown.begin(), shown.end(), '\n', ' ');
    const std::size_t prompt = character_count(line.prompt);
    const std::size_t width = terminal_width(output_);
    const std::size_t space = width > prompt + 8 ? width - prompt - 1 : 8;
    const std::size_t cursor = character_count(std::string_view(shown).substr(0, line.buffer.cursor()));
    const std::size_t first = cursor > space ? cursor - space : 0;
    std::string out = "\r" + line.prompt + std::string(characters(shown, first, space)) + "\x1b[K\r";
    if (const std::size_t column = prompt + cursor - first; column > 0)
        out += "\x1b[" + std::to_string(column) + "C";
    write(out);
}

}  // namespace volley::cli
