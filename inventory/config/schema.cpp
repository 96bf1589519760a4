#include "inventory/config/schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "support/error.hpp"
#include "support/log.hpp"
#include "support/text.hpp"

namespace volley::inventory {
namespace {

using yaml::Kind;

SchemaPtr of_type(Kind kind) {
    auto schema = std::make_shared<Schema>();
    schema->types = {kind};
    return schema;
}

bool is_plugin_reference(yaml::Node node) { return node.is_map() && node.find("_plugin"); }

/// Walks a document along its schema and remembers the way, so that messages can say "config.ssh.port".
class Checker {
public:
    Findings findings;

    void value(yaml::Node node, const Schema& schema, bool plugin) {
        const bool plugin_here = plugin || schema.plugin;
        if (is_plugin_reference(node)) {
            if (!plugin_here)
                fault(node, fmt::format("{} is a plugin reference, which is unsupported at this location",
                                        subject()));
            return;
        }
        if (!has_type(node, schema)) return;
        switch (node.kind()) {
            case Kind::Map:
                map(node, schema, plugin_here);
                break;
            case Kind::Sequence:
                sequence(node, schema, plugin_here);
                break;
            case Kind::String:
                string(node, schema);
                break;
            case Kind::Integer:
                integer_value(node, schema);
                break;
            default:
                break;
        }
    }

private:
    bool has_type(yaml::Node node, const Schema& schema) {
        if (schema.types.empty() || std::ranges::find(schema.types, node.kind()) != schema.types.end())
            return true;
        std::string wanted;
        for (const Kind kind : schema.types) {
            if (!wanted.empty()) wanted += " or ";
            wanted += to_string(kind);
        }
        fault(node, fmt::format("{} must be of type {}, not {}", subject(), wanted, to_string(node.kind())));
        return false;
    }

    void map(yaml::Node node, const Schema& schema, bool plugin) {
        std::vector<std::string_view> missing;
        for (const std::string_view key : schema.required) {
            if (!node.find(key)) missing.push_back(key);
        }
        if (!missing.empty())
            fault(node, fmt::format("{} is missing required keys {}", subject(), fmt::join(missing, ", ")));
        for (const yaml::Entry& entry : node.entries()) {
            path_.emplace_back(entry.key.text());
            const auto property =
                std::ranges::find(schema.properties, entry.key.text(), &Schema::Property::name);
            if (property != schema.properties.end()) {
                warn_if_deprecated(entry.key, *property->schema);
                value(entry.value, *property->schema, plugin);
            } else if (schema.additional) {
                value(entry.value, *schema.additional, plugin);
            } else if (!schema.properties.empty() && !schema.open && !schema.checked_elsewhere) {
                warn_unknown(entry.key, schema);
            }
            path_.pop_back();
        }
    }

    void sequence(yaml::Node node, const Schema& schema, bool plugin) {
        if (schema.unique) {
            std::set<std::string_view> seen;
            for (const yaml::Node element : node.elements()) {
                if (element.size() > 0 || seen.insert(element.text()).second) continue;
                fault(element, fmt::format("{} must not include '{}' twice", subject(), element.text()));
            }
        }
        if (!schema.elements) return;
        std::size_t index = 0;
        for (const yaml::Node element : node.elements()) {
            path_.push_back(std::to_string(index++));
            value(element, *schema.elements, plugin);
            path_.pop_back();
        }
    }

    void string(yaml::Node node, const Schema& schema) {
        if (schema.allowed.empty() || std::ranges::find(schema.allowed, node.text()) != schema.allowed.end())
            return;
        const std::string_view one_of_them = schema.allowed.size() > 1 ? "one of " : "";
        std::string message =
            fmt::format("{} must be {}{}", subject(), one_of_them, fmt::join(schema.allowed, ", "));
        if (schema.types.size() > 1) {
            for (const Kind kind : schema.types) {
                if (kind != Kind::String) message += fmt::format(" or must be of type {}", to_string(kind));
            }
        }
        fault(node, message + fmt::format(", not '{}'", node.text()), hint(node.text(), schema.allowed));
    }

    void integer_value(yaml::Node node, const Schema& schema) {
        if (!schema.minimum) return;
        const Json number = node.to_json();
        if (!number.is_number_integer()) {
            fault(node, fmt::format("{} is too large", subject()));
            return;
        }
        if (number.get<long>() < *schema.minimum) {
            fault(node, fmt::format("{} must be a minimum of {}", subject(), *schema.minimum));
        }
        if (schema.maximum && number.get<long>() > *schema.maximum) {
            fault(node, fmt::format("{} must be a maximum of {}", subject(), *schema.maximum));
        }
    }

    std::string subject() const {
        return path_.empty() ? "The content" : fmt::format("Value at '{}'", path());
    }
    std::string path() const { return fmt::format("{}", fmt::join(path_, ".")); }

    void fault(yaml::Node node, const std::string& message, const std::string& advice = {}) {
        findings.faults.push_back({fmt::format("{} ({}).{}", message, node.where(), advice), node, {}});
    }

    void warn_unknown(yaml::Node key, const Schema& schema) {
        std::vector<std::string> known;
        for (const Schema::Property& property : schema.properties) known.emplace_back(property.name);
        const std::string place =
            path_.size() < 2 ? std::string()
                             : fmt::format(" at '{}'", fmt::join(path_.begin(), path_.end() - 1, "."));
        findings.warnings.push_back({fmt::format("Unknown option '{}'{} at {}.{}", key.text(), place,
                                                 key.where(), hint(key.text(), known)),
                                     key, "unknown_option"});
    }

    void warn_if_deprecated(yaml::Node key, const Schema& schema) {
        if (schema.deprecation.empty()) return;
        findings.warnings.push_back(
            {fmt::format("Option '{}' at {} is deprecated. {}", path(), key.where(), schema.deprecation), key,
             fmt::format("{}_option", key.text())});
    }

    std::vector<std::string> path_;
};

}  // namespace

SchemaPtr boolean() { return of_type(Kind::Boolean); }
SchemaPtr text() { return of_type(Kind::String); }

SchemaPtr integer(long minimum) {
    auto schema = std::make_shared<Schema>(*of_type(Kind::Integer));
    schema->minimum = minimum;
    return schema;
}

SchemaPtr one_of(std::vector<std::string> allowed) {
    auto schema = std::make_shared<Schema>(*text());
    schema->allowed = std::move(allowed);
    return schema;
}

SchemaPtr list_of(SchemaPtr elements) {
    auto schema = std::make_shared<Schema>(*of_type(Kind::Sequence));
    schema->elements = std::move(elements);
    return schema;
}

SchemaPtr map_of(std::vector<Schema::Property> properties) {
    auto schema = std::make_shared<Schema>(*of_type(Kind::Map));
    schema->properties = std::move(properties);
    return schema;
}

SchemaPtr or_plugin(const SchemaPtr& schema) {
    auto copy = std::make_shared<Schema>(*schema);
    copy->plugin = true;
    return copy;
}

SchemaPtr described(const SchemaPtr& schema, std::string_view description) {
    auto copy = std::make_shared<Schema>(*schema);
    copy->description = description;
    return copy;
}

Findings check(yaml::Node value, const Schema& schema) {
    Checker checker;
    checker.value(value, schema, false);
    return std::move(checker.findings);
}

void warn_of_repeated_keys(const yaml::Document& document) {
    for (const yaml::Document::RepeatedKey& one : document.repeated_keys()) {
        log_warning(
            "repeated_key", "config",
            fmt::format("The key '{}' at {}:{}:{} was set before, in line {}; only the last value counts.",
                        one.key, document.source().name, one.last.line, one.last.column, one.first.line));
    }
}

void validate(yaml::Node value, const Schema& schema, std::string_view location) {
    const Findings findings = check(value, schema);
    for (const Finding& warning : findings.warnings) log_warning(warning.id, "config", warning.message);
    if (findings.faults.empty()) return;
    std::string message = fmt::format("Invalid configuration at {}:", location);
    for (const Finding& finding : findings.faults) message += "\n  " + finding.message;
    throw Error("bolt/validation-error", message);
}

std::string hint(std::string_view word, const std::vector<std::string>& candidates) {
    return did_you_mean(word, candidates);
}

}  // namespace volley::inventory
