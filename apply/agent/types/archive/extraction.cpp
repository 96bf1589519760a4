#include "apply/agent/types/archive/extraction.hpp"

#include <array>
#include <cctype>

#include "apply/agent/values/errors.hpp"

namespace volley::agent {
namespace {

/// What unpacks files whose names end in one of `endings`.
struct Unpacker {
    std::array<std::string_view, 3> endings;
    std::string_view program;  ///< by which flags are named in a map
    std::string_view flags;
    std::string_view line;  ///< %f: the flags, %s: the file
};

constexpr std::array<Unpacker, 7> unpackers = {{{{".tar"}, "tar", "xf", "tar %f %s"},
                                                {{".tgz", ".tar.gz"}, "tar", "xzf", "tar %f %s"},
                                                {{".tbz", ".tar.bz2"}, "tar", "xjf", "tar %f %s"},
                                                {{".gz"}, "gunzip", "-d", "gunzip %f %s"},
                                                {{".zip", ".war", ".jar"}, "zip", "-o", "unzip %f %s"},
                                                {{".bz2"}, "bunzip2", "-d", "bunzip2 %f %s"},
                                                {{".txz", ".tar.xz"}, "", "", ""}}};

bool ends_so(const std::string& file, const Unpacker& unpacker) {
    for (const std::string_view ending : unpacker.endings) {
        if (!ending.empty() && file.ends_with(ending)) return true;
    }
    return false;
}

std::string flags_of(const Value& flags, std::string_view program, std::string_view usual) {
    if (flags.is_undef() || flags.to_text() == "undef") return std::string(usual);
    if (flags.is(Value::Kind::String)) return flags.text();
    if (!flags.is(Value::Kind::Hash))
        throw SystemError("Invalid options for command " + std::string(program) + ": " + flags.inspected());
    for (const auto& [name, value] : flags.pairs()) {
        if (name.to_text() == program) return value.to_text();
    }
    return {};
}

/// The text with what stands for each mark: "%s", "%f", "%%".
std::string filled(std::string_view line, const std::string& file, const std::string& flags = {}) {
    std::string out;
    for (std::size_t at = 0; at < line.size(); ++at) {
        const char mark = line[at] == '%' && at + 1 < line.size() ? line[at + 1] : '\0';
        if (mark == 's' || mark == 'f' || mark == '%') {
            out += mark == 's' ? file : mark == 'f' ? flags : "%";
            ++at;
        } else {
            out += line[at];
        }
    }
    return out;
}

/// As Ruby's Shellwords does it.
std::string shell_escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                           std::string_view("_-.,:+/@").find(c) != std::string_view::npos;
        if (c == '\n') out += "'\n'";
        if (c == '\n') continue;
        if (!plain && (static_cast<unsigned char>(c) & 0xC0U) != 0x80U) out += '\\';
        out += c;
    }
    return out;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_small_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

/// The first word of the text that consists of at least `least` and at most 128 such letters.
template <class Fits>
std::optional<std::string> word_of(std::string_view text, std::size_t least, Fits fits) {
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        bool all = true;
        for (; end < text.size() && is_word(text[end]); ++end) all = all && fits(text[end]);
        if (all && end - at >= least && end - at <= 128) return std::string(text.substr(at, end - at));
        at = end + 1;
    }
    return std::nullopt;
}

}  // namespace

std::string extraction_line(const std::string& path, const Extraction& wanted) {
    const std::string file = shell_escaped(path);
    if (!wanted.command.empty()) {
        if (wanted.command.find("%s") != std::string::npos) return filled(wanted.command, file, "%f");
        const std::string flags = flags_of(wanted.flags, "", "");
        return wanted.command + (flags.empty() ? "" : " " + flags) + " " + file;
    }
    for (const Unpacker& unpacker : unpackers) {
        if (!ends_so(path, unpacker)) continue;
        if (unpacker.program.empty())
            return "unxz " + flags_of(wanted.flags, "unxz", "-dc") + " " + file + " | tar " +
                   flags_of(wanted.flags, "tar", "xf") + " -";
        return filled(unpacker.line, file, flags_of(wanted.flags, unpacker.program, unpacker.flags));
    }
    if (path.ends_with(".tar.Z"))
        return "uncompress -c " + file + " | tar " + flags_of(wanted.flags, "tar", "xf") + " -";
    throw ApplyError("Unknown filetype: " + path);
}

std::optional<std::string> checksum_in(std::string_view text) {
    return word_of(text, 32, [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; });
}

bool holds_checksum(std::string_view text) { return word_of(text, 5, is_small_hex).has_value(); }

}  // namespace volley::agent
