#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tables/alias_line.hpp"
#include "apply/agent/types/tables/edited_table.hpp"
#include "apply/agent/types/tables/table_text.hpp"
#include "apply/agent/types/tool.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

/// An alias of mail, of mailalias_core.
class MailAlias final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    std::string_view provider() const override { return "aliases"; }
    Current retrieve() override;
    std::vector<Wanted> wanted() override;
    bool in_sync(Wanted& wanted, const Value& current) override {
        if (wanted.name != "recipient") return Instance::in_sync(wanted, current);
        // Numbers are written as texts.
        return current.is(Value::Kind::Array) && words_of(current, ',') == words_of(wanted.value, ',');
    }
    void sync(Wanted& wanted, const Value& current) override;
    void flush() override;
    // Compatibility: where there were no recipients, they were something else before.
    bool is_unchanged(const Wanted& wanted, const Value& before, const Value& current) override {
        return before == current && (wanted.name != "recipient" || current.is(Value::Kind::Array));
    }

private:
    std::string name_, target_;
    Value ensure_;
    EditedTable<AliasLine> table_;
};

void MailAlias::prepare() {
    name_ = resource_.text("name", resource_.title);
    target_ = resource_.text("target", "/etc/aliases");
    ensure_ = present_or_absent(resource_);
    const Value* file = resource_.find("file");
    if (file != nullptr && !is_absolute_path(run_, *file))
        throw parameter_error(resource_, "file",
                              "File paths must be fully qualified, not '" + interpolated(*file) + "'");
    if (file != nullptr && resource_.find("recipient") != nullptr)
        throw ApplyError("Validation of " + resource_.reference() +
                         " failed: You cannot specify both a recipient and a file");
}

Current MailAlias::retrieve() {
    table_.read(target_, alias_line,
                [this](const AliasLine& line) { return line.is_entry() && line.name == name_; });
    Current current;
    current.set("ensure", table_.own() != nullptr ? present() : absent());
    const AliasLine* line = table_.own();
    if (reads("recipient")) {
        Value::Items items;
        if (line != nullptr && line->recipients) {
            for (const std::string& recipient : *line->recipients) items.emplace_back(recipient);
        }
        const bool known = line != nullptr && line->recipients;
        current.set("recipient", known ? Value(std::move(items)) : absent());
    }
    // Compatibility: of an alias that is there without a file the module takes the wanted one for its file.
    if (reads("file"))
        current.set("file", line == nullptr      ? absent()
                            : line->file.empty() ? text_value(resource_.text("file"))
                                                 : Value(line->file));
    current.set("target", table_.own() != nullptr ? Value(target_) : absent());
    return current;
}

std::vector<Wanted> MailAlias::wanted() {
    std::vector<Wanted> list;
    if (!ensure_.is_undef()) list.push_back(want("ensure", ensure_));
    if (const Value* recipient = resource_.find("recipient")) {
        Value::Items items =
            recipient->is(Value::Kind::Array) ? recipient->items() : Value::Items{*recipient};
        if (!items.empty())
            list.push_back(want("recipient", Value(std::move(items)), is_sensitive("recipient")));
    }
    if (const Value* file = resource_.find("file")) list.push_back(want("file", *file, is_sensitive("file")));
    return list;
}

void MailAlias::sync(Wanted& wanted, const Value&) {
    if (wanted.name == "ensure" && ensure_ == absent()) {
        table_.remove_own();
        return;
    }
    if (table_.own() == nullptr) table_.make_own().name = name_;
    AliasLine& line = *table_.own();
    const bool all = wanted.name == "ensure";
    if ((all || wanted.name == "recipient") && resource_.find("recipient") != nullptr)
        line.recipients = resource_.texts("recipient");
    if ((all || wanted.name == "file") && resource_.find("file") != nullptr)
        line.file = resource_.text("file");
}

void MailAlias::flush() { replace_content(target_, table_.text(), 0600); }

std::vector<std::unique_ptr<Resource>> aliases_found(Run&) {
    std::vector<std::unique_ptr<Resource>> found;
    std::set<std::string> names;
    for (const std::string& line : table_file_lines("/etc/aliases")) {
        const AliasLine alias = alias_line(line);
        if (alias.is_entry() && names.insert(alias.name).second)
            found.push_back(found_resource("mailalias", alias.name));
    }
    return found;
}

constexpr std::array<Attribute, 5> mailalias_attributes = {
    {{"name", Kind::Namevar, "String", "The alias."},
     {"ensure", Kind::Property, "Enum[present, absent]", "Whether it should be there (present)."},
     {"recipient", Kind::Property, "Variant[String, Array[String]]",
      "Where its mail goes; a list for several."},
     {"file", Kind::Property, "String", "A file with recipients, instead of them."},
     {"target", Kind::Property, "String", "The table (/etc/aliases)."}}};

}  // namespace

const TypeSpec& mailalias_type() {
    static const TypeSpec spec{"mailalias",          "A line of the file of mail aliases.", "aliases",
                               mailalias_attributes, make_instance_of<MailAlias>,           aliases_found};
    return spec;
}

}  // namespace volley::agent
