#include <array>

#include "apply/agent/machine/accounts.hpp"
#include "apply/agent/machine/files.hpp"
#include "apply/agent/types/ini/ini_file.hpp"
#include "apply/agent/types/ini/ini_parameters.hpp"
#include "apply/agent/types/ini/shown_values.hpp"
#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tool.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

/// A setting of an ini file, of puppetlabs-inifile.
class IniSetting final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    std::string_view provider() const override { return "ruby"; }
    Current retrieve() override;
    std::vector<Wanted> wanted() override;
    bool in_sync(Wanted& wanted, const Value& current) override {
        return refresh_only_ || Instance::in_sync(wanted, current);
    }
    void sync(Wanted& wanted, const Value& current) override;
    bool can_refresh() const override { return true; }
    void refresh() override;
    std::string shown_current(const Wanted& wanted, const Value& value) override {
        return wanted.name == "value" ? shown_values_.shown(value) : value.shown();
    }
    std::string shown_wanted(const Wanted& wanted) override { return shown_current(wanted, wanted.value); }
    std::vector<Autorelation> autorelations() override {
        return {{Autorelation::Kind::Require, "File", parent_of(path_)}};
    }

private:
    void read_value();
    bool exists(const IniFile& file);
    void put();
    void remove();

    std::string path_;
    IniName section_;
    std::optional<std::string> setting_, value_;  // no setting: the section itself
    Value ensure_;
    ShownValues shown_values_;
    bool refresh_only_ = false, makes_section_ = true;
};

void IniSetting::prepare() {
    path_ = ini_path(resource_, run_);
    ensure_ = present_or_absent(resource_, true);
    section_ = ini_name(resource_, "section");
    if (resource_.find("setting") != nullptr) {
        const std::string given = converted_text(resource_, "setting", "match?");
        setting_ = trim(given);
        // Compatibility: Puppet means to warn and to go on, but fails.
        if (*setting_ != given)
            throw conversion_error(resource_, "setting", Value(given),
                                   "private method `warn' called for Puppet:Module");
    }
    read_value();
    shown_values_ = ShownValues(resource_, run_);
    refresh_only_ = boolean_parameter(resource_, "refreshonly", false);
    makes_section_ = boolean_parameter(resource_, "force_new_section_creation", true);
}

/// Of a list the first counts; an empty one leaves it alone.
void IniSetting::read_value() {
    const Value* given = resource_.find("value");
    if (given == nullptr) return;
    const Value::Items items = given->is(Value::Kind::Array) ? given->items() : Value::Items{*given};
    for (const Value& one : items) {
        const bool is_plain = one.is(Value::Kind::Boolean) || one.is(Value::Kind::Integer) ||
                              one.is(Value::Kind::Float) || one.is(Value::Kind::String);
        if (!is_plain) throw conversion_error(resource_, "value", one, no_method(one, "strip"));
    }
    if (!items.empty()) value_ = trim(items.front().to_text());
}

bool IniSetting::exists(const IniFile& file) {
    if (!setting_ || file.has_section(section_))
        return setting_ ? file.value(section_, *setting_).has_value() : file.has_section(section_);
    // Where no section is to be made there is nothing to do.
    if (!makes_section_) ensure_ = absent();
    return false;
}

Current IniSetting::retrieve() {
    const IniFile file(path_, ini_style(resource_));
    const bool there = exists(file);
    Current current;
    current.set("ensure", there ? present() : absent());
    const auto value = setting_ ? file.value(section_, *setting_) : std::nullopt;
    current.set("value", !there ? absent() : value ? Value(*value) : Value());
    return current;
}

std::vector<Wanted> IniSetting::wanted() {
    std::vector<Wanted> list{want("ensure", ensure_)};
    if (value_) list.push_back(want("value", Value(*value_), is_sensitive("value")));
    return list;
}

void IniSetting::put() {
    IniFile file(path_, ini_style(resource_));
    if (!setting_ && !value_)
        file.add_section(section_);
    else
        file.set(section_, setting_.value_or(""), value_.value_or(""));
    file.save();
}

void IniSetting::remove() {
    IniFile file(path_, ini_style(resource_));
    if (setting_) file.remove(section_, *setting_);
    file.save();
}

void IniSetting::sync(Wanted& wanted, const Value&) {
    if (wanted.name == "ensure" && ensure_ == absent())
        remove();
    else
        put();
}

void IniSetting::refresh() {
    if (!refresh_only_) return;
    if (ensure_ == absent())
        remove();
    else
        put();
}

constexpr std::array<Attribute, 14> ini_setting_attributes = {
    {{"name", Kind::Namevar, "String", "A name."},
     {"ensure", Kind::Property, "Enum[present, absent]", "Whether it should be set (present)."},
     {"section", Kind::Parameter, "String", "Its section; before the first one when it is not given."},
     {"setting", Kind::Parameter, "String",
      "The name of the setting; the section itself when it is not given."},
     {"value", Kind::Property, "Any", "Its value."},
     {"path", Kind::Parameter, "String", "The absolute path of the file."},
     {"key_val_separator", Kind::Parameter, "String", "What stands between name and value (' = ')."},
     {"section_prefix", Kind::Parameter, "String", "What stands before the name of a section ('[')."},
     {"section_suffix", Kind::Parameter, "String", "What stands after the name of a section (']')."},
     {"indent_char", Kind::Parameter, "String", "What new lines begin with, indent_width times (' ')."},
     {"indent_width", Kind::Parameter, "Integer",
      "How far new lines are indented; as the section's other lines when it is not given."},
     {"force_new_section_creation", Kind::Parameter, "Boolean",
      "Whether a section that is missing is added (true)."},
     {"show_diff", Kind::Parameter, "Variant[Boolean, Enum[md5]]",
      "Whether messages show values, hide them, or have their checksums (true)."},
     {"refreshonly", Kind::Parameter, "Boolean", "Whether it is set only when it is notified (false)."}}};

}  // namespace

const TypeSpec& ini_setting_type() {
    static const TypeSpec spec{"ini_setting", "A setting of an ini file, of the module inifile.", "ruby",
                               ini_setting_attributes, make_instance_of<IniSetting>};
    return spec;
}

}  // namespace volley::agent
