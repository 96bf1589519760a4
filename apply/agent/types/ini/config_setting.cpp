#include <algorithm>
#include <array>

#include "apply/agent/types/ini/ini_file.hpp"
#include "apply/agent/types/ini/listed_settings.hpp"
#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tool.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

/// A setting of one certain file, which a type of a module is for: nova_config and its like. The title is
/// SECTION/SETTING. What the module's Ruby says of the type comes with the catalog:
///   path: the file; lists: "true" where a setting may occur several times; separator: "=";
///   section: of all settings, where titles name only the setting; provider: its name;
///   anchors, packages, files: names of those that come first, with blanks between them;
///   booleans: "capital" writes True, "small" true, and "number" 1 for a boolean that is not a text;
///   shown: "quoted" where messages show values as those of other properties;
///   special_values: "none" where every value is written as it is, "absent" where only ensure_absent_val
///   means something else
class ConfigSetting final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    std::string_view provider() const override { return provider_; }
    Current retrieve() override;
    std::vector<Wanted> wanted() override;
    bool in_sync(Wanted& wanted, const Value& current) override;
    void sync(Wanted& wanted, const Value& current) override;
    std::string shown_current(const Wanted& wanted, const Value& value) override {
        return shown(wanted, value, "[old secret redacted]");
    }
    std::string shown_wanted(const Wanted& wanted) override {
        return shown(wanted, wanted.value, "[new secret redacted]");
    }
    std::vector<Autorelation> autorelations() override;

private:
    std::string fact(std::string_view name) const { return resource_.module_type->fact(name); }
    std::string plain_value(const Value& value) const;
    /// The value that stands for the service's own.
    std::string absent_value() const { return resource_.text("ensure_absent_val", "<SERVICE DEFAULT>"); }
    IniStyle style() const;
    std::vector<std::string> current_values() const;
    std::string shown(const Wanted& wanted, const Value& value, const char* hidden) const;
    Value as_value(const std::vector<std::string>& values) const;
    void put();
    void remove();

    std::string provider_, path_, section_, setting_;
    Value ensure_;
    std::vector<std::string> values_;
    bool has_value_ = false, lists_ = false, secret_ = false;
};

/// Compatibility: Python, which reads most of these files, writes True and False.
std::string ConfigSetting::plain_value(const Value& value) const {
    if (fact("booleans") == "number" && value.is(Value::Kind::Boolean)) return value.boolean() ? "1" : "0";
    std::string text(trim(value.to_text()));
    std::string small = lower(text);
    const std::string form = fact("booleans");
    if (form.empty() || form == "number" || (small != "true" && small != "false")) return text;
    if (form == "small") return small;
    return small == "true" ? "True" : "False";
}

void ConfigSetting::prepare() {
    if (!resource_.module_type)
        throw ApplyError(resource_.reference() + ": config_setting is what types of modules are made of");
    path_ = fact("path");
    if (!path_.starts_with('/'))
        throw ApplyError("The catalog does not say which file " + resource_.reference() + " is about");
    provider_ = fact("provider").empty() ? "ini_setting" : fact("provider");
    lists_ = fact("lists") == "true";
    ensure_ = present_or_absent(resource_);
    secret_ = boolean_parameter(resource_, "secret", false);
    const std::string name = resource_.text("name", resource_.title);
    const std::size_t slash = name.find('/');
    if (resource_.module_type->facts.contains("section")) {
        section_ = fact("section");
        setting_ = name;
    } else {
        section_ = name.substr(0, slash);
        setting_ = slash == std::string::npos ? name : name.substr(slash + 1);
        const auto is_word = [](char c) { return c != ' ' && (c < '\t' || c > '\r'); };
        const std::size_t inner = name.size() > 2 ? name.find('/', 1) : std::string::npos;
        if (inner == std::string::npos || inner + 1 >= name.size() || !is_word(name[inner - 1]) ||
            !is_word(name[inner + 1]))
            throw parameter_error(resource_, "name", invalid_value(Value(name), {}, "/\\S+\\/\\S+/"));
    }
    const Value* value = resource_.find("value");
    has_value_ = value != nullptr;
    if (value == nullptr) return;
    if (!value->is(Value::Kind::Array)) {
        values_ = {plain_value(*value)};
    } else {
        for (const Value& item : value->items()) values_.push_back(plain_value(item));
        if (!lists_ && values_.size() > 1) values_.resize(1);
    }
    const bool is_quoted = !values_.empty() && values_[0].starts_with('"');
    if (resource_.text("quote") == "true" && !values_.empty() && !is_quoted && values_[0] != absent_value())
        values_[0] = "\"" + values_[0] + "\"";
}

IniStyle ConfigSetting::style() const {
    IniStyle style;
    style.separator =
        resource_.text("key_val_separator", fact("separator").empty() ? "=" : fact("separator"));
    return style;
}

std::vector<std::string> ConfigSetting::current_values() const {
    if (lists_) return ListedSettings(path_).values(section_, setting_);
    const auto value = IniFile(path_, style()).value(section_, setting_);
    return value ? std::vector<std::string>{*value} : std::vector<std::string>{};
}

Value ConfigSetting::as_value(const std::vector<std::string>& values) const {
    if (!lists_) return values.empty() ? Value() : Value(values[0]);
    Value::Items items;
    for (const std::string& value : values) items.emplace_back(value);
    return Value(std::move(items));
}

Current ConfigSetting::retrieve() {
    const std::vector<std::string> values = current_values();
    const std::string none = absent_value();
    // A value that stands for the service's own, or for whatever is there.
    const std::string special = fact("special_values");
    if (special != "none" && values_ == std::vector<std::string>{none}) {
        ensure_ = absent();
    } else if (special.empty() && values_ == std::vector<std::string>{"<_IMMUTABLE_>"}) {
        values_ = values;
        if (values.empty()) ensure_ = absent();
    }
    Current current;
    current.set("ensure", values.empty() ? absent() : present());
    current.set("value", values.empty() ? absent() : as_value(values));
    return current;
}

std::vector<Wanted> ConfigSetting::wanted() {
    std::vector<Wanted> list;
    if (!ensure_.is_undef()) list.push_back(want("ensure", ensure_));
    if (has_value_) list.push_back(want("value", as_value(values_), is_sensitive("value")));
    return list;
}

bool ConfigSetting::in_sync(Wanted& wanted, const Value& current) {
    if (wanted.name != "value" || !lists_) return Instance::in_sync(wanted, current);
    if (!current.is(Value::Kind::Array)) return false;
    std::vector<std::string> now = words_of(current, ','), then = values_;
    std::sort(now.begin(), now.end());
    std::sort(then.begin(), then.end());
    return then.empty() || now == then;
}

std::string ConfigSetting::shown(const Wanted& wanted, const Value& value, const char* hidden) const {
    if (wanted.name != "value" || fact("shown") == "quoted") return value.shown();
    return secret_ ? hidden : value.to_text();
}

void ConfigSetting::put() {
    if (lists_) {
        ListedSettings file(path_);
        file.set(section_, setting_, values_.empty() ? std::vector<std::string>{""} : values_);
        return file.save();
    }
    IniFile file(path_, style());
    file.set(section_, setting_, values_.empty() ? std::string() : values_[0]);
    file.save();
}

void ConfigSetting::remove() {
    if (lists_) {
        ListedSettings file(path_);
        file.remove(section_, setting_);
        return file.save();
    }
    IniFile file(path_, style());
    file.remove(section_, setting_);
    file.save();
}

void ConfigSetting::sync(Wanted& wanted, const Value&) {
    if (wanted.name == "ensure" && ensure_ == absent())
        remove();
    else
        put();
}

std::vector<Autorelation> ConfigSetting::autorelations() {
    std::vector<Autorelation> list;
    static constexpr std::array<std::array<const char*, 2>, 3> kinds = {
        {{"anchors", "Anchor"}, {"packages", "Package"}, {"files", "File"}}};
    for (const auto& [names, type] : kinds) {
        for (const std::string& name : split(fact(names), ' ')) {
            if (!name.empty()) list.push_back({Autorelation::Kind::Require, type, name});
        }
    }
    return list;
}

constexpr std::array<Attribute, 7> config_setting_attributes = {
    {{"name", Kind::Namevar, "String", "SECTION/SETTING."},
     {"ensure", Kind::Property, "Enum[present, absent]", "Whether it should be set (present)."},
     {"value", Kind::Property, "Any", "Its value; a list where the type has lists."},
     {"secret", Kind::Parameter, "Boolean", "Whether messages hide the value (false)."},
     {"ensure_absent_val", Kind::Parameter, "String",
      "The value that stands for absent ('<SERVICE DEFAULT>')."},
     {"quote", Kind::Parameter, "Boolean", "Whether the value is put in quotes (false)."},
     {"key_val_separator", Kind::Parameter, "String", "What stands between name and value ('=')."}}};

}  // namespace

const TypeSpec& config_setting_type() {
    static const TypeSpec spec{
        "config_setting",
        "A setting of a certain file. Types of modules, such as nova_config, are made of it.", "",
        config_setting_attributes, make_instance_of<ConfigSetting>};
    return spec;
}

}  // namespace volley::agent
