#include "cli/help/manual.hpp"

#include "cli/help/help.hpp"
#include "cli/verb.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

/// Text safe for roff: a dash stays a dash that can be copied, and no line begins with a control character.
std::string escape(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool line_start = i == 0 || text[i - 1] == '\n';
        if (line_start && (c == '.' || c == '\'')) out += "\\&";
        if (c == '\\') {
            out += "\\e";
        } else if (c == '-') {
            out += "\\-";
        } else if (c == '\'') {
            out += "\\(aq";
        } else {
            out += c;
        }
    }
    return out;
}

void verbs_section(std::string& out) {
    out += ".SH COMMANDS\n";
    for (const Verb* verb : verbs()) {
        out += ".SS " + escape(verb->noun) + (verb->action.empty() ? "" : " " + escape(verb->action)) + "\n";
        out += ".B volley " + escape(verb->usage) + "\n.PP\n" + escape(verb->description) + "\n";
        if (verb->examples.empty()) continue;
        out += ".PP\n.nf\n.RS 4\n" + escape(verb->examples) + "\n.RE\n.fi\n";
    }
}

void options_section(std::string& out, std::span<const OptionInfo> options) {
    out +=
        ".SH OPTIONS\nOptions may be shortened as long as they stay clear, and may stand anywhere; \\-\\- "
        "ends "
        "them. An option that a command has no use for is ignored.\n";
    std::string_view group;
    for (const OptionInfo& option : options) {
        if (option.group != group) out += ".SS " + escape(option.group) + "\n";
        group = option.group;
        out += ".TP\n.B " + escape(trim(option_forms(option))) + "\n" + escape(option.description) + "\n";
    }
}

}  // namespace

std::string manual(std::span<const OptionInfo> options, std::string_view version) {
    std::string out = ".TH VOLLEY 1 \"\" \"volley " + std::string(version) + "\" \"User Commands\"\n";
    out += ".SH NAME\nvolley \\- run commands, scripts and tasks on many machines\n";
    out += ".SH SYNOPSIS\n.B volley\n.I subcommand\n.RI [ action ]\n.RI [ options ]\n";
    out +=
        ".SH DESCRIPTION\nVolley runs commands, scripts and tasks on many machines at once, over SSH or on "
        "the "
        "machine itself, and shows what each of them answered. Projects, inventories and modules are those "
        "of "
        "Bolt. \\fBvolley guide\\fR lists texts about the ideas behind it.\n";
    verbs_section(out);
    options_section(out, every_option(options));
    out += R"(.SH EXIT STATUS
.TP
.B 0
Everything went well on every target.
.TP
.B 1
Something failed on a target, or the command could not be carried out.
.TP
.B 130, 143, 129
The run was interrupted by SIGINT (Ctrl-C), SIGTERM or SIGHUP.
.SH ENVIRONMENT
.TP
.B BOLT_PROJECT
The project to use; goes before \-\-project.
.TP
.B BOLT_INVENTORY
The inventory itself, as YAML; goes before every file.
.TP
.B NO_COLOR
Set to anything: no colors.
.TP
.B SSH_AUTH_SOCK
The SSH agent to log in with.
.SH FILES
.TP
.I bolt\-project.yaml
Settings of a project.
.TP
.I inventory.yaml
The targets of a project.
.TP
.I bolt\-debug.log
Debug messages of the last run.
.TP
.I .rerun.json
Results of the last run, for \-\-rerun.
)";
    return out;
}

}  // namespace volley::cli
