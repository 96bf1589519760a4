#include "cli/options/normaliser.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "support/error.hpp"
#include "support/text.hpp"

namespace volley::cli {

const OptionInfo* find_option(std::span<const OptionInfo> options, std::string_view name) {
    const auto at =
        std::find_if(options.begin(), options.end(), [&](const OptionInfo& o) { return o.name == name; });
    return at == options.end() ? nullptr : &*at;
}

namespace {

/// How optparse reads the name of a long option: in any case, and with "_" for "-".
std::string folded(std::string_view typed) {
    std::string name = lower(typed);
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
}

/// A long form that may be typed: an option's name, or "no-" and its name.
struct Form {
    std::string text;
    const OptionInfo* option = nullptr;
    bool negated = false;
};

std::vector<Form> forms_of(std::span<const OptionInfo> options) {
    std::vector<Form> forms;
    for (const OptionInfo& option : options) {
        forms.push_back(Form{option.name, &option, false});
        if (option.negatable) forms.push_back(Form{"no-" + option.name, &option, true});
    }
    return forms;
}

class Normaliser {
public:
    Normaliser(std::span<const std::string> arguments, std::span<const OptionInfo> options)
        : pending_(arguments.rbegin(), arguments.rend()), options_(options), forms_(forms_of(options)) {}

    Normalised run() {
        while (!pending_.empty()) {
            const std::string argument = take();
            if (argument == "--") {
                while (!pending_.empty()) result_.words.push_back(take());
            } else if (argument.starts_with("--")) {
                long_option(argument);
            } else if (argument.size() > 1 && argument.front() == '-') {
                short_option(argument);
            } else {
                result_.words.push_back(argument);
            }
        }
        return std::move(result_);
    }

private:
    std::string take() {
        std::string argument = std::move(pending_.back());
        pending_.pop_back();
        return argument;
    }

    [[noreturn]] void unknown(std::string_view typed) const {
        throw UnknownOption(std::string(typed), unknown_option_hint(typed, options_));
    }

    void long_option(const std::string& argument) {
        const std::size_t equals = argument.find('=');
        const std::string typed = argument.substr(0, equals);
        std::optional<std::string> value;
        if (equals != std::string::npos) value = argument.substr(equals + 1);
        emit(complete(typed.substr(2), typed), typed, std::move(value));
    }

    void short_option(const std::string& argument) {
        const auto at = std::find_if(options_.begin(), options_.end(),
                                     [&](const OptionInfo& option) { return option.letter == argument[1]; });
        const std::string typed = argument.substr(0, 2);
        if (at == options_.end()) {
            // optparse: a lone unknown letter may still be the beginning of one long name.
            if (argument.size() > 2) unknown(typed);
            emit(complete(typed.substr(1), typed), typed, std::nullopt);
            return;
        }
        std::optional<std::string> rest;
        if (argument.size() > 2) rest = argument.substr(2);
        if (rest && !at->takes_value()) {
            pending_.push_back("-" + *rest);  // bundled: the others are options of their own
            rest.reset();
        }
        emit(Form{at->name, &*at, false}, typed, std::move(rest));
    }

    /// optparse's rule: the shortest name that begins so wins if it is itself the beginning of all the
    /// others.
    Form complete(std::string_view prefix, std::string_view typed) const {
        std::vector<const Form*> candidates;
        const std::string name = folded(prefix);
        for (const Form& form : forms_) {
            if (form.text.starts_with(name)) candidates.push_back(&form);
        }
        if (candidates.empty() || prefix.empty()) unknown(typed);
        const Form* shortest =
            *std::min_element(candidates.begin(), candidates.end(),
                              [](const Form* a, const Form* b) { return a->text.size() < b->text.size(); });
        for (const Form* candidate : candidates) {
            if (!candidate->text.starts_with(shortest->text)) unknown(typed);
        }
        return *shortest;
    }

    void emit(const Form& form, const std::string& typed, std::optional<std::string> value) {
        const std::string name = "--" + form.text;
        if (!form.option->takes_value()) {
            if (value) throw Error("bolt/cli-error", "Option '" + name + "' does not take a value");
            result_.options.push_back(name);
            return;
        }
        if (!value) {
            if (pending_.empty()) throw Error("bolt/cli-error", "Option '" + typed + "' needs a parameter");
            value = take();  // whatever it is, also when it begins with a dash
        }
        result_.options.push_back(name);
        result_.options.push_back(std::move(*value));
    }

    std::vector<std::string> pending_;  // reversed: the next argument is the last element
    std::span<const OptionInfo> options_;
    std::vector<Form> forms_;
    Normalised result_;
};

}  // namespace

std::string unknown_option_hint(std::string_view typed, std::span<const OptionInfo> options) {
    const std::string name = folded(typed.substr(std::min(typed.find_first_not_of('-'), typed.size())));
    std::vector<std::string> begun;
    std::vector<std::string> names;
    for (Form& form : forms_of(options)) {
        if (!name.empty() && form.text.starts_with(name)) begun.push_back("--" + form.text);
        names.push_back(std::move(form.text));
    }
    if (!begun.empty()) return ": it could mean " + join(begun, ", ");
    const auto meant = typed.starts_with("--") ? closest_match(typed.substr(2), names) : std::nullopt;
    return meant ? ". Did you mean '--" + *meant + "'?" : "";
}

Normalised normalise(std::span<const std::string> arguments, std::span<const OptionInfo> options) {
    return Normaliser(arguments, options).run();
}

}  // namespace volley::cli
