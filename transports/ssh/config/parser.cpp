#include <glob.h>

#include <stdexcept>
#include <utility>

#include "support/error.hpp"
#include "support/files.hpp"
#include "support/log.hpp"
#include "support/text.hpp"
#include "transports/ssh/config/parsed_config.hpp"
#include "transports/ssh/config/patterns.hpp"
#include "transports/ssh/logger.hpp"

namespace volley::transports::ssh {
namespace {

constexpr int deepest_include = 16;        // OpenSSH's limit
constexpr std::size_t most_units = 10000;  // 16 levels of doubling would be 65,536 readings of one file

std::vector<std::string> files_matching(const std::string& pattern) {
    std::vector<std::string> files;
    glob_t found{};
    if (::glob(pattern.c_str(), 0, nullptr, &found) == 0) {
        files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    }
    ::globfree(&found);
    return files;
}

class Parser {
public:
    Parser(SshConfig::Program& program, const SshConfig::Reader& reader)
        : program_(program), reader_(reader) {}

    std::shared_ptr<const ConfigUnit> parse(const SshConfig::File& file, std::string_view text, int depth) {
        auto unit = std::make_shared<ConfigUnit>();
        unit->name = file.path.string();
        if (++units_ > most_units) throw_config_error(unit->name, 1, "too many files are included");
        unsigned number = 0;
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            ++number;
            try {
                parse_line(text.substr(0, end), number, file, depth, *unit);
            } catch (const std::invalid_argument& fault) {
                throw_config_error(unit->name, number, fault.what());
            }
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        return unit;
    }

private:
    void parse_line(std::string_view text, unsigned number, const SshConfig::File& file, int depth,
                    ConfigUnit& unit) {
        ConfigLine line = split_config_line(text);
        if (line.keyword.empty()) return;
        if (line.keyword == "host") {
            if (line.words.empty()) throw std::invalid_argument("Host needs a pattern");
            unit.lines.push_back({number, HostLine{std::move(line.words)}});
        } else if (line.keyword == "match") {
            unit.lines.push_back({number, parse_match(line.words)});
        } else if (line.keyword == "include") {
            unit.lines.push_back({number, parse_include(line.words, number, file, depth)});
        } else {
            parse_setting(line, number, unit);
        }
    }

    /// As ssh does: a keyword that it does not know is an error, since the line was meant to have an effect,
    /// unless an IgnoreUnknown before it lists the keyword.
    void check_unknown(const ConfigLine& line) {
        if (line.keyword == "ignoreunknown") {
            if (line.words.empty()) throw std::invalid_argument("missing argument after 'ignoreunknown'");
            if (ignore_unknown_.empty()) ignore_unknown_ = lower(line.words.front());
            return;
        }
        if (is_ignored_config_keyword(line.keyword)) return;
        if (match_pattern_list(line.keyword, ignore_unknown_) == ListMatch::Yes) return;
        const std::string meant = likely_config_keyword(line.keyword);
        throw std::invalid_argument("unknown keyword '" + scrub_utf8(line.keyword) + "'" +
                                    (meant.empty() ? "" : ", did you mean '" + meant + "'?"));
    }

    void parse_setting(ConfigLine& line, unsigned number, ConfigUnit& unit) {
        const ConfigKeyword* keyword = find_config_keyword(line.keyword);
        if (keyword == nullptr) return check_unknown(line);
        if (keyword->shape == ConfigKeyword::Shape::WholeLine) line.words = {std::string(line.rest)};
        if (line.words.empty() || line.words.front().empty()) {
            throw std::invalid_argument("missing argument after '" + line.keyword + "'");
        }
        if (keyword->shape == ConfigKeyword::Shape::OneWord && line.words.size() > 1) {
            throw std::invalid_argument("'" + line.keyword + "' takes one value, not also '" +
                                        scrub_utf8(line.words[1]) + "'");
        }
        HostSettings scratch;
        keyword->set(scratch, line.words);  // a bad value is an error even where no host would use it
        unit.lines.push_back({number, SettingLine{keyword, std::move(line.words)}});
    }

    MatchLine parse_match(const std::vector<std::string>& written) {
        // `host=a` is one word for the lexer and two for Match.
        std::vector<std::string> words;
        for (const std::string& word : written) {
            const std::size_t equals = word.find('=');
            const bool is_argument = !words.empty() && takes_argument(words.back()) && !expects_attribute_;
            if (is_argument || equals == std::string::npos || !takes_argument(word.substr(0, equals))) {
                words.push_back(word);
                expects_attribute_ = is_argument;
            } else {
                words.push_back(word.substr(0, equals));
                words.push_back(word.substr(equals + 1));
                expects_attribute_ = true;
            }
        }
        expects_attribute_ = false;
        MatchLine match;
        for (std::size_t i = 0; i < words.size(); ++i) {
            Criterion criterion = named(words[i]);
            if (takes_argument(words[i])) {
                if (++i == words.size())
                    throw std::invalid_argument("Match " + words[i - 1] + " needs an argument");
                criterion.argument = words[i];
            }
            if (criterion.kind == Criterion::Kind::Exec) program_.uses_exec = true;
            match.criteria.push_back(std::move(criterion));
        }
        if (match.criteria.empty()) throw std::invalid_argument("Match needs a criterion");
        check_all(match);
        return match;
    }

    static std::string bare(std::string_view word) {
        std::string name = lower(word);
        if (!name.empty() && name.front() == '!') name.erase(0, 1);
        return name;
    }

    static bool takes_argument(std::string_view word) {
        const std::string name = bare(word);
        return name != "all" && name != "canonical" && name != "final";
    }

    static Criterion named(std::string_view word) {
        using Kind = Criterion::Kind;
        static constexpr std::pair<std::string_view, Kind> kinds[] = {
            {"all", Kind::All},   {"canonical", Kind::Final},    {"final", Kind::Final},
            {"exec", Kind::Exec}, {"host", Kind::Host},          {"originalhost", Kind::OriginalHost},
            {"user", Kind::User}, {"localuser", Kind::LocalUser}};
        Criterion criterion;
        criterion.negated = !word.empty() && word.front() == '!';
        const std::string name = bare(word);
        criterion.is_final = name == "final";
        for (const auto& [known, kind] : kinds) {
            if (known == name) criterion.kind = kind;
        }
        if (criterion.kind == Kind::Never) {
            log(LogLevel::Debug, logger,
                "Match " + scrub_utf8(word) + " is not supported; its block never matches");
        }
        return criterion;
    }

    static void check_all(const MatchLine& match) {
        for (std::size_t i = 0; i < match.criteria.size(); ++i) {
            if (match.criteria[i].kind != Criterion::Kind::All) continue;
            if (match.criteria[i].negated) throw std::invalid_argument("'all' cannot be negated");
            for (std::size_t j = 0; j < match.criteria.size(); ++j) {
                if (j != i && (j > i || match.criteria[j].kind != Criterion::Kind::Final)) {
                    throw std::invalid_argument("'all' cannot be combined with other Match criteria");
                }
            }
        }
    }

    IncludeLine parse_include(const std::vector<std::string>& words, unsigned number,
                              const SshConfig::File& file, int depth) {
        if (depth >= deepest_include) {
            throw_config_error(
                file.path.string(), number,
                "Include is nested more than " + std::to_string(deepest_include) + " levels deep");
        }
        IncludeLine include;
        for (const std::string& word : words) {
            for (const std::string& path : resolve_include(word, file)) {
                SshConfig::File included{path, file.is_user};
                if (const auto text = reader_(path))
                    include.files.push_back(parse(included, *text, depth + 1));
            }
        }
        return include;
    }

    std::vector<std::string> resolve_include(const std::string& word, const SshConfig::File& file) const {
        std::string path = word;
        if (path == "~" || path.substr(0, 2) == "~/") {
            path = program_.identity.home.string() + path.substr(1);
        } else if (!path.empty() && path.front() == '~') {
            path = expand_path(path, "/").string();
        } else if (path.empty() || path.front() != '/') {
            path = (file.is_user ? program_.identity.home.string() + "/.ssh/" : "/etc/ssh/") + path;
        }
        if (!program_.on_disk || path.find_first_of("*?[") == std::string::npos) return {path};
        return files_matching(path);
    }

    std::string ignore_unknown_;  // patterns, in lower case
    SshConfig::Program& program_;
    const SshConfig::Reader& reader_;
    std::size_t units_ = 0;
    bool expects_attribute_ = false;
};

}  // namespace

void throw_config_error(std::string_view file, unsigned line, std::string_view what) {
    throw Error("bolt/ssh-config-error",
                std::string(file) + ":" + std::to_string(line) + ": " + std::string(what));
}

std::shared_ptr<const ConfigUnit> parse_config(const SshConfig::File& file, std::string_view text,
                                               SshConfig::Program& program, const SshConfig::Reader& reader) {
    return Parser(program, reader).parse(file, text, 0);
}

}  // namespace volley::transports::ssh
