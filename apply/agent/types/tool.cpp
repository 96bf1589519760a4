#include "apply/agent/types/tool.hpp"

#include <algorithm>

#include "apply/agent/types/parameters.hpp"
#include "support/text.hpp"

namespace volley::agent {

std::string tool_path(const std::string& name) { return find_program(name, search_path()).value_or(name); }

bool has_tool(const std::string& name) { return find_program(name, search_path()).has_value(); }

Finished whole_tool(Run& run, Command command, bool secret) {
    command.argv.at(0) = tool_path(command.argv[0]);
    if (run.logs(Level::Debug))
        run.log(Level::Debug, "Executing: '" + (secret ? "[redacted]" : join(command.argv, " ")) + "'");
    return agent::run(command);
}

Finished try_tool(Run& run, Command command, bool secret) {
    Finished done = whole_tool(run, std::move(command), secret);
    const std::size_t end = done.output.find_last_not_of(" \t\r\n\f\v");
    done.output.resize(end == std::string::npos ? 0 : end + 1);
    return done;
}

std::string run_tool(Run& run, Command command, bool secret) {
    const std::string line =
        tool_path(command.argv.at(0)) + (command.argv.size() > 1 ? " " : "") +
        join(std::vector<std::string>(command.argv.begin() + 1, command.argv.end()), " ");
    Finished done = try_tool(run, std::move(command), secret);
    if (done.exit_code == 0) return std::move(done.output);
    throw ApplyError("Execution of '" + (secret ? "[redacted]" : line) + "' returned " +
                     std::to_string(done.exit_code) + ": " +
                     std::string(trim(done.errors.empty() ? done.output : done.errors)));
}

void leave_unmanaged(Run& run, Resource& resource, std::string_view provider, std::string_view feature,
                     std::string_view attribute) {
    if (resource.find(attribute) == nullptr) return;
    run.log(Level::Debug, resource,
            "Provider " + std::string(provider) + " does not support features " + std::string(feature) +
                "; not managing attribute " + std::string(attribute));
    resource.erase(attribute);
}

bool is_absolute_path(Run& run, const Value& value) {
    if (value.is(Value::Kind::String) || value.is(Value::Kind::Symbol)) return value.text().starts_with('/');
    run.log(Level::Warning, "Cannot check if " + interpolated(value) +
                                " is an absolute path because it is a '" + std::string(ruby_class(value)) +
                                "' and not a String'");
    return false;
}

Wanted want(std::string_view name, Value value, bool sensitive, std::string event) {
    Wanted wanted;
    wanted.name = name;
    wanted.value = std::move(value);
    wanted.sensitive = sensitive;
    wanted.event = std::move(event);
    return wanted;
}

std::vector<std::string> words_of(const Value& value, char separator) {
    std::vector<std::string> words;
    if (value.is(Value::Kind::Array)) {
        for (const Value& item : value.items()) words.push_back(item.to_text());
    } else if (!(value == absent()) && !value.is_undef() && !value.to_text().empty()) {
        words = split(value.to_text(), separator);
    }
    return words;
}

Value present_or_absent(const Resource& resource, bool always) {
    if (resource.find("ensure") == nullptr && !always) {
        const TypeSpec* type = find_type(resource.working_type());
        const bool managed =
            std::any_of(resource.parameters.begin(), resource.parameters.end(), [&](const auto& entry) {
                const Attribute* attribute = type->attribute(entry.first);
                return attribute != nullptr && attribute->kind == Attribute::Kind::Property &&
                       !entry.second.is_undef();
            });
        if (!managed) return {};
    }
    return Value::symbol(word_parameter(resource, "ensure", "present, absent", "present"));
}

}  // namespace volley::agent
