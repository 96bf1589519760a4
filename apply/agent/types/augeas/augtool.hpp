#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apply/agent/machine/process.hpp"
#include "apply/agent/transaction/run.hpp"
#include "apply/agent/types/augeas/augeas_commands.hpp"

namespace volley::agent {

/// How Augeas is opened.
struct AugeasSettings {
    std::string root = "/";
    std::vector<std::string> load_path;
    bool type_check = false;
    std::string lens, incl;  ///< the only file to be loaded, or none
    std::string context;     ///< of the resource: only files below it are loaded where it is a plain path
};

/// An argument as augtool reads it on a line: in quotes, with what it would take for something else escaped.
/// Throws ApplyError for what it cannot read.
std::string augtool_path(std::string_view path);
std::string augtool_text(std::string_view text);
std::string augtool_line(const AugeasCommand& command);

/// The path of augtool: of the machine, or that of a puppet-agent; nullopt when there is none.
std::optional<std::string> find_augtool();

/// Runs augtool anew for each question: it loads the files, does what it is asked to and answers.
class Augtool {
public:
    Augtool(Run& run, AugeasSettings settings) : run_(run), settings_(std::move(settings)) {}

    /// What the paths match; nullopt where one is not a path.
    std::vector<std::optional<std::vector<std::string>>> matches(const std::vector<std::string>& paths);
    /// The values of nodes; nullopt for what is not there or has none.
    std::vector<std::optional<std::string>> values(const std::vector<std::string>& paths);

    /// What became of changes.
    struct Outcome {
        std::optional<std::size_t> failed;  ///< the first command that Augeas refused
        bool saved = true;
        std::vector<std::string> files;  ///< that were written, or would be: "/files/etc/hosts"
    };
    /// `only_beside`: new content goes to FILE.augnew, and the files stay.
    Outcome change(const std::vector<AugeasCommand>& commands, bool only_beside);
    /// The first command that Augeas refuses, without anything being saved.
    std::optional<std::size_t> first_refused(const std::vector<AugeasCommand>& commands);

    /// Whether files of the resource could not be read. Known after the first question.
    bool load_failed() const noexcept { return load_failed_; }

private:
    struct Answer {
        int exit_code = 0;
        std::vector<std::string> parts;  ///< of the output, one for each marked question
        std::string errors;              ///< that loading left
    };
    Answer ask(const std::vector<std::string>& lines);
    Finished execute(const std::string& script);
    std::string opening() const;
    std::string restricted() const;
    bool refuses(const std::vector<AugeasCommand>& commands, std::size_t count);

    Run& run_;
    AugeasSettings settings_;
    bool load_failed_ = false;
};

}  // namespace volley::agent
