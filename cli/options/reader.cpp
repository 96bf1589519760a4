#include "cli/options/reader.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "cli/options/normaliser.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

[[noreturn]] void invalid(const std::string& option, const std::string& value, const std::string& hint,
                          const std::string& meant = {}) {
    throw Error("bolt/cli-error", "Invalid parameter specified for option '--" + option + "': " + value +
                                      " (" + hint + ")" + (meant.empty() ? "" : "." + meant));
}

/// As optparse reads an Integer: 0x10, 0b11 and 010 have their bases, and "_" may stand between digits
/// (1_000).
long to_number(const std::string& option, const std::string& text) {
    const auto fail = [&] { invalid(option, text, "a whole number is needed"); };
    std::string_view rest = text;
    const bool negative = rest.starts_with('-');
    if (negative || rest.starts_with('+')) rest.remove_prefix(1);
    int base = 10;
    if (rest.size() > 1 && rest.front() == '0') {
        const char letter = static_cast<char>(rest[1] | 0x20);
        base = letter == 'x' ? 16 : letter == 'b' ? 2 : 8;
        rest.remove_prefix(base == 8 ? 1 : 2);
    }
    std::string digits(negative ? "-" : "");
    for (std::size_t i = 0; i < rest.size(); ++i) {
        const bool between = i > 0 && i + 1 < rest.size() && rest[i - 1] != '_';
        if (rest[i] == '_' && !between) fail();
        if (rest[i] != '_') digits += rest[i];
    }
    long number = 0;
    const char* end = digits.data() + digits.size();
    const auto [stopped, problem] = std::from_chars(digits.data(), end, number, base);
    if (rest.empty() || rest.front() == '-' || problem != std::errc() || stopped != end) fail();
    return number;
}

std::string to_choice(const std::string& option, const std::string& text,
                      const std::vector<std::string>& choices) {
    std::vector<std::string> found;
    for (const std::string& choice : choices) {
        if (choice == text) return choice;
        if (!text.empty() && choice.starts_with(text)) found.push_back(choice);
    }
    if (found.size() != 1)
        invalid(option, text, "one of " + join(choices, ", "), did_you_mean(text, choices));
    return found.front();
}

}  // namespace

OptionBuilder::OptionBuilder(CLI::App& app, std::vector<OptionInfo>& infos, const ParserHost& host)
    : app_(app), infos_(infos), host_(host) {}

OptionInfo& OptionBuilder::describe(const std::string& names, std::string description) {
    OptionInfo& info = infos_.emplace_back();
    const std::size_t dashes = names.find("--");
    info.name = names.substr(dashes + 2);
    if (dashes > 0) info.letter = names[1];
    info.group = group_;
    info.description = std::move(description);
    return info;
}

void OptionBuilder::text(const std::string& names, std::string value_name, std::string description,
                         std::function<void(const std::string&)> set, std::vector<std::string> choices) {
    OptionInfo& info = describe(names, std::move(description));
    info.value_name = std::move(value_name);
    info.choices = std::move(choices);
    // One value at a time: CLI11 would take a list such as "[::1]" apart.
    const auto note = [given = given_, name = info.name, set = std::move(set)](const std::string& value) {
        set(value);
        if (given != nullptr) given->push_back({name, value});
    };
    app_.add_option_function<std::string>(names, note)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
        ->trigger_on_parse();
}

void OptionBuilder::number(const std::string& names, std::string value_name, std::string description,
                           std::function<void(long)> set) {
    const std::string option = names.substr(names.find("--") + 2);
    text(names, std::move(value_name), std::move(description),
         [option, set = std::move(set)](const std::string& value) { set(to_number(option, value)); });
}

void OptionBuilder::choice(const std::string& names, std::string value_name, std::string description,
                           std::vector<std::string> choices, std::function<void(const std::string&)> set) {
    const std::string option = names.substr(names.find("--") + 2);
    text(
        names, std::move(value_name), std::move(description),
        [option, choices, set = std::move(set)](const std::string& value) {
            set(to_choice(option, value, choices));
        },
        choices);
}

void OptionBuilder::hide(std::string_view prefix) {
    for (OptionInfo& info : infos_) info.hidden = info.hidden || info.name.starts_with(prefix);
}

void OptionBuilder::flag(const std::string& names, std::string description, std::function<void()> set) {
    const OptionInfo& info = describe(names, std::move(description));
    const auto note = [given = given_, name = info.name, set = std::move(set)] {
        set();
        if (given != nullptr) given->push_back({name, std::nullopt});
    };
    app_.add_flag_callback(names, note)->trigger_on_parse();
}

void OptionBuilder::toggle(const std::string& names, std::string description, std::function<void(bool)> set) {
    OptionInfo& info = describe(names, std::move(description));
    info.negatable = true;
    const auto note = [given = given_, name = info.name, set = std::move(set)](bool value) {
        set(value);
        if (given != nullptr) given->push_back({(value ? "" : "no-") + name, std::nullopt});
    };
    app_.add_flag_callback(names, [note] { note(true); })->trigger_on_parse();
    app_.add_flag_callback("--no-" + info.name, [note] { note(false); })->trigger_on_parse();
}

struct OptionReader::State {
    explicit State(ParserHost the_host) : host(std::move(the_host)), builder(app, infos, host) {
        app.set_help_flag();  // help is an option like any other: it must not stop the reading of the rest
    }

    ParserHost host;
    CLI::App app;
    std::vector<OptionInfo> infos;
    OptionBuilder builder;
};

OptionReader::OptionReader(ParserHost host) : state_(std::make_unique<State>(std::move(host))) {}
OptionReader::~OptionReader() = default;

OptionBuilder& OptionReader::builder() noexcept { return state_->builder; }
std::span<const OptionInfo> OptionReader::options() const noexcept { return state_->infos; }

std::vector<std::string> OptionReader::read(std::span<const std::string> arguments) {
    Normalised normalised = normalise(arguments, state_->infos);
    std::reverse(normalised.options.begin(), normalised.options.end());  // CLI11 takes them from the back
    try {
        state_->app.parse(std::move(normalised.options));
    } catch (const CLI::ParseError& error) {
        throw Error("bolt/cli-error", error.what());
    }
    return std::move(normalised.words);
}

}  // namespace volley::cli
