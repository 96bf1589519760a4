#include <algorithm>
#include <array>
#include <charconv>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/text/pattern.hpp"
#include "apply/agent/types/augeas/augtool.hpp"
#include "apply/agent/types/file/file_diff.hpp"
#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tool.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

const Value& need_to_run() {
    static const Value value = Value::symbol("need_to_run");
    return value;
}

template <class Number>
bool holds(const std::string& comparator, const Number& one, const Number& other) {
    if (comparator == "<") return one < other;
    if (comparator == "<=") return one <= other;
    if (comparator == ">") return one > other;
    if (comparator == ">=") return one >= other;
    return comparator == "!=" ? one != other : one == other;
}

std::optional<double> number_in(const std::string& text) {
    static const Pattern number("\\A[+-]?\\d+(\\.\\d+)?\\Z");
    if (!number.matches(text)) return std::nullopt;
    double value = 0;
    const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
    std::from_chars(begin, text.data() + text.size(), value);
    return value;
}

/// Changes configuration files by Augeas, of augeas_core, with the program augtool.
class Augeas final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    std::string_view provider() const override { return "augeas"; }
    bool suitable() override { return find_augtool().has_value(); }
    std::string needs() const override {
        return "the command augtool is not there (Debian: augeas-tools, Red Hat: augeas)";
    }
    Current retrieve() override;
    std::vector<Wanted> wanted() override {
        // Compatibility: what is only audited has no usual value.
        if (!resource_.audit.empty()) return {};
        return {want("returns", number_value(0))};
    }
    void sync(Wanted&, const Value&) override { execute(); }
    std::string change_text(const Wanted&, const Value&) override { return "executed successfully"; }
    bool can_refresh() const override { return resource_.find("refreshonly") != nullptr; }
    void refresh() override {
        if (has_work()) execute();
    }

private:
    std::vector<AugeasCommand> commands_in(std::string_view attribute) const;
    void read_context();
    void read_load_path();
    bool has_work();
    bool condition_holds(const AugeasCommand& condition);
    bool get_holds(const AugeasCommand& condition);
    bool match_holds(const AugeasCommand& condition, bool of_values);
    std::vector<std::string> paths_of(const AugeasCommand& condition);
    bool would_change();
    void show_difference(const std::string& file) const;
    void check_places(const std::vector<AugeasCommand>& commands);
    [[noreturn]] void fail_command(const AugeasCommand& command);
    void execute();
    void warn_of_load_errors();

    AugeasSettings settings_;
    std::optional<Augtool> tool_;
    bool force_ = false, show_diff_ = true, only_refreshed_ = false, warned_ = false;
};

void Augeas::prepare() {
    settings_.root = resource_.text("root", "/");
    settings_.type_check = true_or_false(resource_, "type_check", false);
    only_refreshed_ = true_or_false(resource_, "refreshonly", false);
    show_diff_ = boolean_parameter(resource_, "show_diff", true);
    // Compatibility: whatever is not false forces it.
    const Value* force = resource_.find("force");
    force_ = force != nullptr && !(force->is(Value::Kind::Boolean) && !force->boolean());
    settings_.lens = resource_.text("lens");
    settings_.incl = resource_.text("incl");
    if ((resource_.find("lens") != nullptr) != (resource_.find("incl") != nullptr))
        throw ApplyError("Validation of " + resource_.reference() +
                         " failed: You must specify both the lens and incl parameters, or neither.");
    read_context();
}

/// Ruby makes the usual context of `incl`, without a word of the resource where that fails. Of a context it
/// only asks here whether it is empty; that lists and maps are none it finds out when it opens Augeas.
void Augeas::read_context() {
    const Value* context = resource_.find("context");
    const Value* incl = resource_.find("incl");
    if (context == nullptr) {
        if (incl != nullptr && !incl->is(Value::Kind::String))
            throw SystemError("Munging failed for value \"\" in class context: " + not_a_text(*incl));
        if (incl != nullptr) settings_.context = "/files" + settings_.incl;
        return;
    }
    if (context->is(Value::Kind::Array) || context->is(Value::Kind::Hash)) return;
    settings_.context = converted_text(resource_, "context", "empty?");
}

void Augeas::read_load_path() {
    settings_.load_path.clear();
    for (const Value& part : flattened(each_value(resource_, "load_path"))) {
        if (!part.is(Value::Kind::String)) throw ApplyError(no_method(part, "split"));
        for (const std::string& folder : split(part.text(), ':')) {
            if (!folder.empty()) settings_.load_path.push_back(folder);
        }
    }
}

/// The commands of a text or a list, one after the other: what comes before a mistake in them is read first.
std::vector<AugeasCommand> Augeas::commands_in(std::string_view attribute) const {
    static const Value none;
    const Value* value = resource_.find(attribute);
    if (value == nullptr) value = &none;
    if (value->is(Value::Kind::String)) return augeas_commands(split(value->text(), '\n'), settings_.context);
    Value::Items lines;
    if (value->is(Value::Kind::Array)) {
        lines = flattened(value->items());
    } else if (value->is(Value::Kind::Hash)) {
        for (const auto& [key, other] : value->pairs()) {
            // Compatibility: the keys of Ruby's maps cannot be changed, which it tries with every line.
            if (key.is(Value::Kind::String))
                throw ApplyError("can't modify frozen String: " + key.inspected());
            lines.insert(lines.end(), {key, other});
        }
    } else {
        throw ApplyError(no_method(*value, "flatten"));
    }
    std::vector<AugeasCommand> commands;
    for (const Value& line : lines) {
        if (line.is_undef()) continue;
        if (!line.is(Value::Kind::String)) throw ApplyError(no_method(line, "strip!"));
        for (AugeasCommand& command : augeas_commands({line.text()}, settings_.context))
            commands.push_back(std::move(command));
    }
    return commands;
}

Current Augeas::retrieve() {
    Current current;
    const bool pending = !only_refreshed_ && has_work();
    current.set("returns", pending ? need_to_run() : number_value(0));
    return current;
}

/// Once for each time that there may be work.
void Augeas::warn_of_load_errors() {
    if (!warned_ && tool_->load_failed())
        run_.log_by_provider(Level::Warning, resource_,
                             "Loading failed for one or more files, see debug for /augeas//error output");
    warned_ = warned_ || tool_->load_failed();
}

bool Augeas::has_work() {
    read_load_path();
    if (const Value* root = resource_.find("root"); root != nullptr && !root->is(Value::Kind::String))
        throw ApplyError(not_a_text(*root));
    if (const Value* context = resource_.find("context");
        context != nullptr && !context->is(Value::Kind::String))
        throw ApplyError(no_method(*context, "match"));
    tool_.emplace(run_, settings_);
    warned_ = false;
    if (const Value* condition = resource_.find("onlyif");
        condition != nullptr && !(*condition == text_value(""))) {
        const std::vector<AugeasCommand> commands = commands_in("onlyif");
        if (commands.empty()) throw ApplyError(no_method(Value(), "[]"));
        if (!condition_holds(commands[0])) return false;
    }
    return force_ || would_change();
}

bool Augeas::condition_holds(const AugeasCommand& condition) {
    // Compatibility: what Puppet shows of the arguments is what it has not read yet, which is nothing.
    const std::string shown = condition.name == "get" ? "[]" : "nil";
    try {
        if (condition.name == "get") return get_holds(condition);
        if (condition.name == "match" || condition.name == "values")
            return match_holds(condition, condition.name == "values");
    } catch (const ApplyError& error) {
        throw ApplyError("Error sending command '" + condition.name + "' with params " + shown + "/" +
                         error.what());
    }
    return true;
}

bool Augeas::get_holds(const AugeasCommand& condition) {
    const std::string value = tool_->values({condition.at(0)}).at(0).value_or("");
    warn_of_load_errors();
    const std::string &comparator = condition.at(1), &wanted = condition.at(2);
    if (comparator == "=~") return Pattern(wanted).matches(value);
    const bool ordered = comparator[0] == '<' || comparator[0] == '>';
    const auto one = number_in(value), other = number_in(wanted);
    return ordered && one && other ? holds(comparator, *one, *other) : holds(comparator, value, wanted);
}

std::vector<std::string> Augeas::paths_of(const AugeasCommand& condition) {
    auto found = tool_->matches({condition.at(0)}).at(0);
    warn_of_load_errors();
    if (!found) throw ApplyError("unknown error - Matching path expression '" + condition.at(0) + "' failed");
    return *found;
}

bool Augeas::match_holds(const AugeasCommand& condition, bool of_values) {
    const std::vector<AugeasCommand> clauses = augeas_commands({condition.at(1)}, settings_.context);
    if (clauses.empty()) throw ApplyError("there is nothing to compare with");
    const AugeasCommand& clause = clauses[0];
    std::vector<std::optional<std::string>> found;
    for (std::string& path : paths_of(condition)) found.emplace_back(std::move(path));
    if (of_values && !found.empty()) {
        std::vector<std::string> paths;
        for (const auto& path : found) paths.push_back(*path);
        found = tool_->values(paths);
    }
    if (clause.name == "size" && !of_values)
        return holds(clause.at(0), static_cast<double>(found.size()), std::stod(clause.at(1)));
    if (clause.name == "include" || clause.name == "not_include") {
        const bool there = std::find(found.begin(), found.end(), clause.at(0)) != found.end();
        return there == (clause.name == "include");
    }
    if (clause.name != "==" && clause.name != "!=") return false;
    const auto list = augeas_list(clause.at(0));
    if (!list) throw ApplyError("Invalid array in command: ");
    const std::vector<std::optional<std::string>> wanted(list->begin(), list->end());
    return (found == wanted) == (clause.name == "==");
}

/// Writes the new content beside the files, to see whether there is any.
bool Augeas::would_change() {
    const std::vector<AugeasCommand> commands = commands_in("changes");
    check_places(commands);
    const Augtool::Outcome outcome = tool_->change(commands, true);
    warn_of_load_errors();
    const std::string root = settings_.root == "/" ? std::string() : settings_.root;
    std::vector<std::string> files;
    for (const std::string& file : outcome.files) {
        if (file.starts_with("/files")) files.push_back(root + file.substr(6));
    }
    const bool fine = !outcome.failed && outcome.saved;
    for (const std::string& file : files) {
        if (fine && run_.settings.show_diff && show_diff_) show_difference(file);
        remove_file(file + ".augnew");
    }
    if (outcome.failed) fail_command(commands[*outcome.failed]);
    if (!outcome.saved) throw ApplyError("Save failed, see debug output for details");
    return !files.empty();
}

void Augeas::show_difference(const std::string& file) const {
    std::string difference;
    if (file_exists(file)) difference = unified_diff(file, read_whole(file), read_whole(file + ".augnew"));
    run_.log_by_provider(Run::level_of(resource_), resource_, "\n" + difference);
}

/// The words of a command that Augeas does not see at all.
void Augeas::check_places(const std::vector<AugeasCommand>& commands) {
    for (std::size_t i = 0; i < commands.size(); ++i) {
        const AugeasCommand& command = commands[i];
        static constexpr std::array<std::string_view, 8> conditions = {
            "get", "values", "match", "size", "include", "not_include", "==", "!="};
        const bool insertion = command.name == "ins" || command.name == "insert";
        std::string why;
        if (insertion && command.at(1) != "before" && command.at(1) != "after")
            why = "Invalid value '" + command.at(1) + "' for where param";
        if (std::find(conditions.begin(), conditions.end(), command.name) != conditions.end())
            why = "Command '" + command.name + "' is not supported";
        if (why.empty()) continue;
        // What comes before it may have a mistake, too.
        const std::vector<AugeasCommand> before(commands.begin(),
                                                commands.begin() + static_cast<std::ptrdiff_t>(i));
        if (const auto failed = tool_->first_refused(before)) fail_command(before[*failed]);
        throw ApplyError("Error sending command '" + command.name + "' with params " + command.inspected() +
                         "/" + why);
    }
}

void Augeas::fail_command(const AugeasCommand& command) {
    const std::string text =
        "Error sending command '" + command.name + "' with params " + command.inspected();
    if (command.name == "touch" && !tool_->matches({command.at(0)}).at(0))
        throw ApplyError(text + "/unknown error - Matching path expression '" + command.at(0) + "' failed");
    throw ApplyError(text + "/" + text);
}

void Augeas::execute() {
    const std::vector<AugeasCommand> commands = commands_in("changes");
    if (force_) {
        check_places(commands);
        if (const auto failed = tool_->first_refused(commands)) fail_command(commands[*failed]);
    }
    const Augtool::Outcome outcome = tool_->change(commands, false);
    if (outcome.failed) fail_command(commands[*outcome.failed]);
    if (!outcome.saved) throw ApplyError("Save failed, see debug output for details");
}

constexpr std::array<Attribute, 13> augeas_attributes = {
    {{"name", Kind::Namevar, "String", "Any name."},
     {"returns", Kind::Property, "String", "Used by the type itself."},
     {"context", Kind::Parameter, "String",
      "The path that others are relative to; /files and incl when incl is given."},
     {"onlyif", Kind::Parameter, "Variant[String, Array[String]]",
      "A condition: get, match or values, a path and what is compared."},
     {"changes", Kind::Parameter, "Variant[String, Array]",
      "Commands: set, setm, rm, clear, clearm, touch, ins, mv, rename, defvar, defnode."},
     {"root", Kind::Parameter, "String", "The folder that is taken for / (/)."},
     {"load_path", Kind::Parameter, "Variant[String, Array[String]]", "Folders with further lenses."},
     {"force", Kind::Parameter, "Boolean", "Whether commands run though nothing differs (false)."},
     {"refreshonly", Kind::Parameter, "Boolean", "Whether it runs only when something notifies it (false)."},
     {"type_check", Kind::Parameter, "Boolean", "Whether lenses are checked (false)."},
     {"lens", Kind::Parameter, "String", "The lens for incl."},
     {"incl", Kind::Parameter, "String", "The only file that is loaded."},
     {"show_diff", Kind::Parameter, "Boolean", "Whether differences may be shown (true)."}}};

}  // namespace

const TypeSpec& augeas_type() {
    static const TypeSpec spec{"augeas", "Changes configuration files through Augeas.", "augeas",
                               augeas_attributes, make_instance_of<Augeas>};
    return spec;
}

}  // namespace volley::agent
