#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "transports/ssh/config/ssh_config.hpp"

namespace volley::transports::ssh {

/// One line of ssh_config taken apart.
struct ConfigLine {
    std::string keyword;             ///< lower case; empty: blank or comment
    std::string_view rest;           ///< as written after the keyword and its `=`
    std::vector<std::string> words;  ///< `rest` by the quoting rules, without a trailing comment
};
/// Throws std::invalid_argument (unbalanced quotes, nothing after the keyword).
ConfigLine split_config_line(std::string_view line);

/// A keyword that we understand. `set` writes its value into settings that do not have one yet (the first
/// wins) and throws std::invalid_argument for a bad one.
struct ConfigKeyword {
    enum class Shape : std::uint8_t { OneWord, Words, WholeLine };
    std::string_view name;
    Shape shape;
    void (*set)(HostSettings& settings, std::span<const std::string> words);
};
/// nullptr when there is none.
const ConfigKeyword* find_config_keyword(std::string_view name);
/// True for a keyword of ssh_config(5) that has no effect here, so that no error is reported.
bool is_ignored_config_keyword(std::string_view name);
/// The keyword that a mistyped one was most likely to be; empty when nothing is close.
std::string likely_config_keyword(std::string_view name);

struct ConfigUnit;

struct HostLine {
    std::vector<std::string> patterns;
};
struct Criterion {
    enum class Kind : std::uint8_t { All, Final, Exec, Host, OriginalHost, User, LocalUser, Never };
    Kind kind = Kind::Never;
    bool negated = false;
    bool is_final =
        false;  ///< of Final: `final`, which asks for a second pass; else `canonical`, which does not
    std::string argument;
};
struct MatchLine {
    std::vector<Criterion> criteria;
};
struct SettingLine {
    const ConfigKeyword* keyword = nullptr;
    std::vector<std::string> words;
};
struct IncludeLine {
    std::vector<std::shared_ptr<const ConfigUnit>> files;
};

/// A parsed file: its lines in order. What follows a Host or Match line counts only while that matches.
struct ConfigUnit {
    struct Line {
        unsigned number = 0;
        std::variant<HostLine, MatchLine, SettingLine, IncludeLine> content;
    };
    std::string name;
    std::vector<Line> lines;
};

struct SshConfig::Program {
    std::vector<std::shared_ptr<const ConfigUnit>> units;
    ConfigIdentity identity;
    bool uses_exec = false;
    bool on_disk = true;  ///< read by the reader of tests and fuzzers: the disk is not searched either
};

[[noreturn]] void throw_config_error(std::string_view file, unsigned line, std::string_view what);

/// Parses one file and, through `reader`, those it includes. Throws Error bolt/ssh-config-error.
std::shared_ptr<const ConfigUnit> parse_config(const SshConfig::File& file, std::string_view text,
                                               SshConfig::Program& program, const SshConfig::Reader& reader);

/// What the %-tokens stand for.
struct ConfigTokens {
    std::string host, original_host, user, port, key_alias;
    const ConfigIdentity& identity;

    /// Replaces %-tokens (only those in `allowed`, and %%) and, if asked, ${VARIABLE}. `keyword` is for the
    /// Error bolt/ssh-config-error that an unknown token or an unset variable throws.
    std::string expand(std::string_view text, std::string_view allowed, bool variables,
                       std::string_view keyword) const;
    /// The same for a file name, with ~ first.
    std::string expand_path(std::string_view text, std::string_view keyword) const;
    static constexpr std::string_view all = "CdhikLlnpru";
};

}  // namespace volley::transports::ssh
