#include "cli/help/help.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "cli/outputters/text.hpp"

namespace volley::cli {
namespace {

constexpr std::size_t text_width = 76;
constexpr std::size_t forms_width = 34;

/// So many are not read from the first to the last: those that most people need come first.
constexpr std::size_t many_options = 15;

bool is_common(const OptionInfo& option) {
    static constexpr auto names = std::to_array<std::string_view>(
        {"targets", "rerun", "user", "password-prompt", "run-as", "concurrency", "params", "noop",
         "apply-method", "show-diff", "execute", "env-var", "inventoryfile", "format", "verbose"});
    return std::find(names.begin(), names.end(), option.name) != names.end();
}

class HelpWriter {
public:
    explicit HelpWriter(bool color) : color_(color) {}

    void section(std::string_view heading, const std::string& body) {
        if (!out_.empty()) out_ += '\n';
        out_ += color_ ? "\x1b[36m" + std::string(heading) + "\x1b[0m\n" : std::string(heading) + "\n";
        out_ += indent(4, body);
        if (!out_.ends_with('\n')) out_ += '\n';
    }

    /// One section a group, in the order of the options.
    void options(std::span<const OptionInfo> options) {
        std::string body;
        for (std::size_t i = 0; i < options.size(); ++i) {
            body += option_lines(options[i]);
            const bool last = i + 1 == options.size() || options[i + 1].group != options[i].group;
            if (!last) continue;
            section(options[i].group, body);
            body.clear();
        }
    }

    std::string take() { return std::move(out_); }

private:
    static std::string option_lines(const OptionInfo& option) {
        std::string forms = option_forms(option);
        std::string text = wrap(option.description, text_width - forms_width);
        std::string lines = indent(forms_width, text);
        if (forms.size() + 2 > forms_width) return forms + "\n" + lines;
        forms.resize(forms_width, ' ');
        return lines.replace(0, forms_width, forms);
    }

    bool color_;
    std::string out_;
};

std::string summary_table(const std::vector<std::pair<std::string, std::string>>& rows) {
    return table(rows, 0, 4);
}

std::string general_help(std::span<const OptionInfo> options, bool color) {
    HelpWriter help(color);
    std::vector<std::pair<std::string, std::string>> rows;
    for (const Noun& noun : nouns()) rows.emplace_back(std::string(noun.name), std::string(noun.summary));
    std::vector<OptionInfo> global;
    std::copy_if(options.begin(), options.end(), std::back_inserter(global), is_global);

    help.section("Name", "volley");
    help.section("Usage", "volley <subcommand> [action] [options]");
    help.section("Description",
                 wrap("Runs commands, scripts and tasks on many machines at once and shows what each "
                      "of them answered. Projects, inventories and modules are those of Bolt.",
                      text_width));
    help.section("Subcommands", summary_table(rows));
    help.section("Guides",
                 "'volley guide' lists texts about projects, inventories, targets and more.\n"
                 "'volley help <subcommand> [action]' shows how to use one of the above.");
    help.options(global);
    return help.take();
}

std::string noun_help(const Noun& noun, std::span<const OptionInfo> options, bool color) {
    HelpWriter help(color);
    std::vector<std::pair<std::string, std::string>> rows;
    for (const Verb* verb : verbs()) {
        if (verb->noun == noun.name) rows.emplace_back(std::string(verb->action), std::string(verb->summary));
    }
    std::vector<OptionInfo> global;
    std::copy_if(options.begin(), options.end(), std::back_inserter(global), is_global);
    help.section("Name", std::string(noun.name));
    help.section("Usage", "volley " + std::string(noun.name) + " <action> [options]");
    help.section("Description", wrap(std::string(noun.summary) + ".", text_width));
    help.section("Actions", summary_table(rows));
    help.options(global);
    return help.take();
}

std::string verb_help(const Verb& verb, std::span<const OptionInfo> options, bool color) {
    HelpWriter help(color);
    std::string name(verb.noun);
    if (!verb.action.empty()) name += " " + std::string(verb.action);
    help.section("Name", name);
    help.section("Usage", wrap("volley " + std::string(verb.usage), text_width));
    help.section("Description", wrap(verb.description, text_width));
    if (!verb.guide.empty()) {
        help.section("Documentation", "See 'volley guide " + std::string(verb.guide) + "'.");
    }
    if (!verb.examples.empty()) help.section("Examples", std::string(verb.examples));
    std::vector<OptionInfo> own = options_of(verb, options);
    if (own.size() > many_options) {
        const auto rest = std::stable_partition(own.begin(), own.end(), is_common);
        for (auto one = own.begin(); one != rest; ++one) one->group = "Common options";
    }
    help.options(own);
    return help.take();
}

}  // namespace

bool is_global(const OptionInfo& option) {
    static constexpr std::array<std::string_view, 4> names{"help", "version", "log-level", "clear-cache"};
    return std::find(names.begin(), names.end(), option.name) != names.end();
}

std::vector<OptionInfo> options_of(const Verb& verb, std::span<const OptionInfo> options) {
    std::vector<OptionInfo> own;
    for (const OptionInfo& option : verb.own_options ? verb.own_options() : options) {
        const bool listed =
            std::find(verb.options.begin(), verb.options.end(), option.name) != verb.options.end();
        if (listed || is_global(option)) own.push_back(option);
    }
    return own;
}

std::vector<OptionInfo> every_option(std::span<const OptionInfo> options) {
    std::vector<OptionInfo> all;
    std::copy_if(options.begin(), options.end(), std::back_inserter(all),
                 [](const OptionInfo& one) { return !one.hidden; });
    for (const Verb* verb : verbs()) {
        if (!verb->own_options) continue;
        for (const OptionInfo& option : verb->own_options()) {
            if (!find_option(all, option.name)) all.push_back(option);
        }
    }
    return all;
}

std::string option_forms(const OptionInfo& option) {
    std::string forms = option.letter == '\0' ? "    " : std::string("-") + option.letter + ", ";
    forms += option.negatable ? "--[no-]" : "--";
    forms += option.name;
    if (option.takes_value()) forms += " " + option.value_name;
    return forms;
}

std::string help_text(std::string_view noun_name, std::string_view action,
                      std::span<const OptionInfo> options, bool color) {
    const Noun* noun = find_noun(noun_name);
    if (noun == nullptr) return general_help(options, color);
    if (const Verb* verb = find_verb(noun_name, action)) return verb_help(*verb, options, color);
    return noun_help(*noun, options, color);
}

}  // namespace volley::cli
