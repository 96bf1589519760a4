#include <array>

#include "apply/agent/types/ini/ini_file.hpp"
#include "apply/agent/types/ini/ini_parameters.hpp"
#include "apply/agent/types/ini/shown_values.hpp"
#include "apply/agent/types/ini/subsettings.hpp"
#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tool.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

/// What Ruby adds to a text; false is as good as nothing. Throws SystemError for what is not a text.
std::string added_text(const Value& value) {
    if (value.is(Value::Kind::Boolean) && !value.boolean()) return {};
    if (!value.is(Value::Kind::String)) throw SystemError(not_a_text(value));
    return value.text();
}

/// What Ruby says where a text is to be added to something that is not.
std::string no_sum(const Value& value) {
    if (value.is(Value::Kind::Array)) return "no implicit conversion of String into Array";
    if (value.is(Value::Kind::Integer) || value.is(Value::Kind::Float))
        return "String can't be coerced into " + std::string(ruby_class(value));
    return no_method(value, "+");
}

/// A word in the value of a setting of an ini file, of puppetlabs-inifile.
class IniSubsetting final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    std::string_view provider() const override { return "ruby"; }
    Current retrieve() override;
    std::vector<Wanted> wanted() override;
    void sync(Wanted& wanted, const Value& current) override;
    std::string shown_current(const Wanted& wanted, const Value& value) override {
        return wanted.name == "value" ? shown_values_.shown(value) : value.shown();
    }
    std::string shown_wanted(const Wanted& wanted) override { return shown_current(wanted, wanted.value); }

private:
    void read_name();

    std::string path_, name_, insert_type_, insert_value_;
    IniName section_, setting_;
    Value ensure_;
    SubsettingStyle words_;
    ShownValues shown_values_;
};

void IniSubsetting::prepare() {
    path_ = ini_path(resource_, run_);
    ensure_ = present_or_absent(resource_, true);
    section_ = ini_name(resource_, "section");
    setting_ = ini_name(resource_, "setting");
    if (const Value* quote = resource_.find("quote_char")) {
        if (!quote->is(Value::Kind::String))
            throw check_error(resource_, "quote_char", no_method(*quote, "match?"));
        words_.quote = quote->text();
    }
    if (!words_.quote.empty() && words_.quote != "'" && words_.quote != "\"")
        throw parameter_error(resource_, "quote_char", ":quote_char valid values are '', '\"' and \"'\"");
    words_.separator = whole_text(resource_, "subsetting_separator", words_.separator);
    words_.whole_words = true_or_false(resource_, "use_exact_match", false);
    insert_type_ = word_parameter(resource_, "insert_type", "start, end, before, after, index", "end");
    insert_value_ = resource_.text("insert_value");
    true_or_false(resource_, "delete_if_empty", false);
    shown_values_ = ShownValues(resource_, run_);
}

/// The name of the word, and what stands between it and its value. Compatibility: Puppet adds them up when it
/// has a word to compare them with, and so it is then that values which are not texts fail.
void IniSubsetting::read_name() {
    static const Value none, nothing = Value(std::string());
    const Value* given = resource_.find("subsetting");
    const Value* between = resource_.find("subsetting_key_val_separator");
    const Value& name = given != nullptr ? *given : none;
    if (!name.is(Value::Kind::String)) throw SystemError(no_sum(name));
    if (between != nullptr) words_.value_separator = added_text(*between);
    name_ = name.text();
}

Current IniSubsetting::retrieve() {
    const IniFile file(path_, ini_style(resource_));
    const auto value_there = file.value(section_, setting_);
    const Value* name = resource_.find("subsetting");
    const bool is_text = name != nullptr && name->is(Value::Kind::String);
    if ((is_text || !words_.whole_words) && Subsettings(value_there, words_).count() > 0) read_name();
    const Subsettings words(value_there, words_);
    const bool there = words.has(name_);
    Current current;
    current.set("ensure", there ? present() : absent());
    const auto value = words.value(name_);
    current.set("value", !there ? absent() : value ? Value(*value) : Value());
    return current;
}

std::vector<Wanted> IniSubsetting::wanted() {
    std::vector<Wanted> list{want("ensure", ensure_)};
    if (const Value* value = resource_.find("value"))
        list.push_back(want("value", *value, is_sensitive("value")));
    return list;
}

void IniSubsetting::sync(Wanted& wanted, const Value&) {
    IniFile file(path_, ini_style(resource_));
    read_name();
    Subsettings words(file.value(section_, setting_), words_);
    if (wanted.name != "ensure" || ensure_ == present()) {
        const Value* value = resource_.find("value");
        words.set(name_, value == nullptr ? std::string() : added_text(*value), insert_type_, insert_value_);
        const Value* separator = resource_.find("subsetting_separator");
        if (separator != nullptr) added_text(*separator);
        file.set(section_, setting_, words.text());
    } else {
        words.remove(name_);
        // Compatibility: Puppet takes delete_if_empty => false for true.
        if (words.text().empty())
            file.remove(section_, setting_);
        else
            file.set(section_, setting_, words.text());
    }
    file.save();
}

constexpr std::array<Attribute, 16> ini_subsetting_attributes = {
    {{"name", Kind::Namevar, "String", "A name."},
     {"ensure", Kind::Property, "Enum[present, absent]", "Whether the word should be there (present)."},
     {"section", Kind::Parameter, "String",
      "The section of the setting; before the first one when it is not given."},
     {"setting", Kind::Parameter, "String", "The name of the setting."},
     {"subsetting", Kind::Parameter, "String", "The word in the setting's value, or what it begins with."},
     {"value", Kind::Property, "String", "What follows in the word."},
     {"path", Kind::Parameter, "String", "The absolute path of the file."},
     {"key_val_separator", Kind::Parameter, "String", "What stands between setting and value (' = ')."},
     {"subsetting_separator", Kind::Parameter, "String", "What stands between words (' ')."},
     {"subsetting_key_val_separator", Kind::Parameter, "String",
      "What stands between a word's name and its value."},
     {"quote_char", Kind::Parameter, "String", "The quotes around a value that has none yet."},
     {"use_exact_match", Kind::Parameter, "Boolean", "Whether the word has no value of its own (false)."},
     {"insert_type", Kind::Parameter, "Enum[start, end, before, after, index]",
      "Where a new word goes (end)."},
     {"insert_value", Kind::Parameter, "Variant[String, Integer]", "The word or the index for insert_type."},
     {"delete_if_empty", Kind::Parameter, "Boolean",
      "Taken for compatibility: a setting goes with its last word."},
     {"show_diff", Kind::Parameter, "Variant[Boolean, Enum[md5]]",
      "Whether messages show values, hide them, or have their checksums (true)."}}};

}  // namespace

const TypeSpec& ini_subsetting_type() {
    static const TypeSpec spec{"ini_subsetting",
                               "A word in the value of a setting of an ini file, of the module inifile.",
                               "ruby", ini_subsetting_attributes, make_instance_of<IniSubsetting>};
    return spec;
}

}  // namespace volley::agent
