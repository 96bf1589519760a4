#include "cli/completion/complete.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "apply/types/type_spec.hpp"
#include "cli/guides/guides.hpp"
#include "cli/help/help.hpp"
#include "cli/verb.hpp"
#include "support/files.hpp"
#include "support/text.hpp"
#include "support/unicode/printable.hpp"

namespace volley::cli {
namespace {

bool is_path(const OptionInfo& option) {
    static constexpr std::string_view kinds[] = {"PATH", "KEY", "MODULES", "FILE", "DIR", "DIRS", "SCRIPT"};
    return option.name != "tmpdir" && option.name != "modules" &&  // a folder on targets; names of modules
           std::ranges::find(kinds, option.value_name) != std::end(kinds);
}

/// Several paths with ':' between them.
bool is_path_list(const OptionInfo& option) {
    return option.value_name == "MODULES" || option.value_name == "DIRS";
}

/// What the words after a verb are: only where they are files are files offered.
bool takes_files(const Verb& verb) {
    static constexpr std::string_view nouns[] = {"apply", "catalog", "eval",    "file",
                                                 "parse", "script",  "validate"};
    return std::ranges::find(nouns, verb.noun) != std::end(nouns) ||
           (verb.noun == "plan" && verb.action == "convert") ||
           (verb.noun == "secret" && verb.action == "edit");
}

/// The finished words of a command line.
class CompleteArguments {
public:
    CompleteArguments(std::span<const std::string> words, std::span<const OptionInfo> shared)
        : shared_(shared) {
        for (const std::string& word : words) add(word);
    }

    /// Those that are neither options nor their values.
    const std::vector<std::string>& words() const noexcept { return words_; }
    /// The option whose value comes next; nullptr: none.
    const OptionInfo* waiting() const noexcept { return waiting_; }
    /// "--" has been typed: nothing is an option any more.
    bool divided() const noexcept { return divided_; }
    const Verb* verb() const noexcept { return verb_; }
    std::span<const OptionInfo> options() const {
        return verb_ != nullptr && verb_->own_options ? verb_->own_options() : shared_;
    }
    std::optional<std::string> value(std::string_view option) const {
        const auto found = values_.find(option);
        return found == values_.end() ? std::nullopt : std::optional(found->second);
    }
    /// The option that "-x" begins and whose value follows in the same word; nullptr when it is none.
    const OptionInfo* lettered(std::string_view word) const {
        if (word.size() < 2 || word[0] != '-' || word[1] == '-') return nullptr;
        for (const OptionInfo& option : options()) {
            if (option.letter == word[1] && option.takes_value()) return &option;
        }
        return nullptr;
    }

private:
    void add(const std::string& word) {
        if (waiting_ != nullptr) {
            values_[std::exchange(waiting_, nullptr)->name] = word;
        } else if (divided_ || !word.starts_with('-') || word == "-") {
            words_.push_back(word);
            if (verb_ == nullptr && words_.size() <= 2)
                verb_ = find_verb(words_[0], words_.size() == 2 ? words_[1] : std::string());
        } else if (word == "--") {
            divided_ = true;
        } else if (word.starts_with("--")) {
            const std::size_t equals = word.find('=');
            const OptionInfo* option = find_option(options(), word.substr(2, equals - 2));
            if (option == nullptr || !option->takes_value()) return;
            if (equals == std::string::npos)
                waiting_ = option;
            else
                values_[option->name] = word.substr(equals + 1);
        } else if (const OptionInfo* option = lettered(word)) {
            if (word.size() == 2)
                waiting_ = option;
            else
                values_[option->name] = word.substr(2);
        }
    }

    std::span<const OptionInfo> shared_;
    std::vector<std::string> words_;
    std::map<std::string, std::string, std::less<>> values_;
    const OptionInfo* waiting_ = nullptr;
    const Verb* verb_ = nullptr;
    bool divided_ = false;
};

inventory::Overrides overrides_of(const CompleteArguments& line, const inventory::ProcessContext& process) {
    inventory::Overrides overrides;
    overrides.project = line.value("project");
    overrides.modulepath = line.value("modulepath");
    if (const auto file = line.value("inventoryfile"))
        overrides.inventory_file = expand_path(*file, process.working_directory);
    return overrides;
}

class WordCompletion {
public:
    WordCompletion(std::span<const std::string> words, std::span<const OptionInfo> options,
                   const inventory::ProcessContext& process)
        : line_(words.first(words.size() - 1), options), names_(process, overrides_of(line_, process)) {
        found_.typed = words.back();
    }

    Completions run() {
        const std::string& word = found_.typed;
        if (line_.waiting() != nullptr) {
            value_of(*line_.waiting());
        } else if (!line_.divided() && word.starts_with('-')) {
            option();
        } else {
            this->word();
        }
        const std::string_view rest = this->rest();
        std::erase_if(found_.candidates, [&](const Candidate& each) {
            return !each.text.starts_with(rest) || printable(each.text) != each.text;
        });
        return std::move(found_);
    }

private:
    std::string_view rest() const { return std::string_view(found_.typed).substr(found_.kept.size()); }
    void keep(std::size_t more) { found_.kept = found_.typed.substr(0, found_.kept.size() + more); }
    /// Of a list, the elements before the last stay.
    void keep_before_last(char separator) {
        const std::size_t at = rest().rfind(separator);
        if (at != std::string_view::npos) keep(at + 1);
    }
    void offer(std::string text, std::string_view description = {}) {
        found_.candidates.push_back({std::move(text), std::string(description)});
    }
    void offer(Candidates candidates) {
        std::ranges::move(candidates, std::back_inserter(found_.candidates));
    }
    void offer_all(const std::vector<std::string>& texts) {
        for (const std::string& text : texts) offer(text);
    }

    void option() {
        const std::string& word = found_.typed;
        const std::size_t equals = word.find('=');
        if (word.starts_with("--") && equals != std::string::npos) {
            const OptionInfo* meant = find_option(line_.options(), word.substr(2, equals - 2));
            if (meant == nullptr || !meant->takes_value()) return;
            keep(equals + 1);
            return value_of(*meant);
        }
        if (const OptionInfo* meant = word.size() > 2 ? line_.lettered(word) : nullptr) {
            keep(2);
            return value_of(*meant);
        }
        for (const OptionInfo& each : line_.options()) {
            if (each.hidden) continue;
            const Verb* verb = line_.verb();
            const bool listed =
                is_global(each) ||
                (verb != nullptr && std::ranges::find(verb->options, each.name) != verb->options.end());
            if (!listed) continue;
            offer("--" + each.name, each.description);
            if (each.negatable) offer("--no-" + each.name, each.description);
            if (each.letter != '\0') offer(std::string("-") + each.letter, each.description);
        }
    }

    void value_of(const OptionInfo& option) {
        static constexpr std::string_view sets[] = {"targets", "limit", "exclude"};
        if (!option.choices.empty()) {
            offer_all(option.choices);
        } else if (std::ranges::find(sets, option.name) != std::end(sets)) {
            targets();
        } else if (option.name == "fields") {
            keep_before_last(',');
            offer_all({"target", "status", "action", "object", "message", "exit_code", "stdout", "stderr",
                       "output", "value."});
        } else if (is_path(option)) {
            if (is_path_list(option)) keep_before_last(':');
            found_.files = true;
        } else {
            file_after_at();
        }
    }

    void file_after_at() {
        if (!rest().starts_with('@')) return;
        keep(1);
        found_.files = true;
    }

    /// "web1,!db": the last name of a list, with what is done with it.
    void targets() {
        keep_before_last(',');
        if (!rest().empty() && std::string_view("!&-").find(rest()[0]) != std::string_view::npos) keep(1);
        if (rest().starts_with('@')) {
            file_after_at();
            offer("rerun:all", "targets of the last run");
            offer("rerun:failure", "targets that failed in the last run");
            offer("rerun:success", "targets that did not fail in the last run");
            return offer_all({"last:ok", "last:failed"});
        }
        offer(names_.targets());
    }

    void word() {
        const std::vector<std::string>& words = line_.words();
        if (words.empty()) {
            for (const Noun& noun : nouns()) offer(std::string(noun.name), noun.summary);
            return offer("help", "Show how to use a command");
        }
        if (words[0] == "help") return help();
        if (line_.verb() == nullptr) {
            if (words.size() == 1) actions(words[0]);
            return;
        }
        const std::size_t own = line_.verb()->action.empty() ? 1 : 2;
        argument(*line_.verb(), words.size() - own);
        if (!found_.files && found_.candidates.empty()) file_after_at();
    }

    void help() {
        if (line_.words().size() == 1) {
            for (const Noun& noun : nouns()) offer(std::string(noun.name), noun.summary);
        } else if (line_.words().size() == 2) {
            actions(line_.words()[1]);
        }
    }

    void actions(std::string_view noun) {
        for (const Verb* verb : verbs()) {
            if (verb->noun == noun && !verb->action.empty()) offer(std::string(verb->action), verb->summary);
        }
    }

    void argument(const Verb& verb, std::size_t place) {
        if (takes_files(verb)) found_.files = true;
        if (verb.noun == "run" || (verb.noun == "plan" && verb.action == "resume")) return run(verb, place);
        if (verb.noun == "task") return place == 0 ? offer(names_.tasks(name_part())) : task_parameter(verb);
        if (verb.noun == "plan" && verb.action != "new")
            return place == 0 ? offer(names_.plans(name_part())) : plan_parameter(verb);
        if (verb.noun == "policy" && verb.action == "apply") {
            keep_before_last(',');
            return offer(names_.policies());
        }
        if (place > 0) return;
        if (verb.noun == "guide") {
            for (const Guide& guide : guides()) offer(std::string(guide.topic));
        }
        if (verb.noun == "module" && verb.action == "show") offer(names_.modules());
        if (verb.noun == "resource") {
            for (const TypeSpec* type : core_types()) offer(std::string(type->name));
        }
    }

    void run(const Verb& verb, std::size_t place) {
        if (verb.action == "output" && place > 0) return offer(names_.targets());
        if (verb.action == "report" && place == 1) found_.files = true;
        const std::size_t ids = verb.action == "list" ? 0 : verb.action == "diff" ? 2 : 1;
        if (place < ids) offer(names_.runs(rest(), verb.noun == "plan"));
    }

    std::string_view name_part() const { return rest(); }

    void task_parameter(const Verb& verb) {
        if (verb.action == "run") parameter(names_.task_parameters(object()));
    }
    void plan_parameter(const Verb& verb) {
        if (verb.action == "run") parameter(names_.plan_parameters(object()));
    }
    const std::string& object() const { return line_.words()[2]; }

    void parameter(const std::vector<NamedParameter>& parameters) {
        const std::size_t equals = found_.typed.find('=');
        if (equals == std::string::npos) {
            for (const NamedParameter& each : parameters) {
                if (!is_given(each.name)) offer(each.name + "=", described(each));
            }
            return;
        }
        const std::string name = found_.typed.substr(0, equals);
        const auto meant = std::ranges::find(parameters, name, &NamedParameter::name);
        if (meant == parameters.end()) return;
        keep(equals + 1);
        if (meant->type.find("TargetSpec") != std::string::npos) return targets();
        offer_all(values_of_type(meant->type));
    }

    bool is_given(const std::string& parameter) const {
        return std::ranges::any_of(
            line_.words(), [&](const std::string& word) { return word.starts_with(parameter + "="); });
    }

    static std::string described(const NamedParameter& parameter) {
        if (parameter.description.empty()) return parameter.type;
        return parameter.type.empty() ? parameter.description : parameter.type + ": " + parameter.description;
    }

    CompleteArguments line_;
    ProjectNames names_;
    Completions found_;
};

/// The elements of "a, 'b c', ...]" up to its end.
void add_enum_words(std::string_view text, std::vector<std::string>& words) {
    const std::string_view inside = text.substr(0, text.find(']'));
    for (const std::string& element : split(inside, ',')) {
        std::string_view word = trim(element);
        const bool quoted = word.size() >= 2 && (word[0] == '\'' || word[0] == '"') && word.back() == word[0];
        if (quoted) word = word.substr(1, word.size() - 2);
        // A Boolean at the end says whether capitals count.
        if (!quoted && (word == "true" || word == "false")) continue;
        if (!word.empty()) words.emplace_back(word);
    }
}

}  // namespace

std::vector<std::string> values_of_type(std::string_view type) {
    std::vector<std::string> values;
    constexpr std::string_view enumeration = "Enum[";
    for (std::size_t at = type.find(enumeration); at != std::string_view::npos;
         at = type.find(enumeration, at + 1))
        add_enum_words(type.substr(at + enumeration.size()), values);
    if (type.find("Boolean") != std::string_view::npos) values.insert(values.end(), {"true", "false"});
    return values;
}

Completions complete(std::span<const std::string> words, std::span<const OptionInfo> options,
                     const inventory::ProcessContext& process) {
    if (words.empty()) return {};
    return WordCompletion(words, options, process).run();
}

std::string completions_text(const Completions& completions) {
    std::string text = printable(completions.kept) + "\n" + printable(completions.typed) + "\n" +
                       (completions.files ? "files\n" : "words\n");
    for (const Candidate& each : completions.candidates) {
        text += each.text;
        const std::string_view line =
            std::string_view(each.description).substr(0, each.description.find('\n'));
        if (!line.empty()) text += "\t" + printable(line);
        text += '\n';
    }
    return text;
}

}  // namespace volley::cli
