#include <algorithm>
#include <array>

#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tables/table_text.hpp"
#include "apply/agent/types/tool.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

/// A program that a name may stand for, of puppet-alternatives.
class AlternativeEntry final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    std::string_view provider() const override { return "dpkg"; }
    bool suitable() override { return has_tool("update-alternatives"); }
    Current retrieve() override;
    std::vector<Wanted> wanted() override;
    void sync(Wanted& wanted, const Value& current) override;

private:
    struct Known {
        std::string group, priority;
    };
    std::optional<Known> known();
    bool exists();
    void create();
    void remove();
    Finished update(std::vector<std::string> words) {
        words.insert(words.begin(), "update-alternatives");
        return try_tool(run_, Command(std::move(words)));
    }

    std::string name_, link_;
    Value ensure_;
};

/// "/path:/link", or the path only.
void AlternativeEntry::prepare() {
    const std::size_t colon = resource_.title.rfind(':');
    name_ = resource_.text("name", resource_.title.substr(0, colon));
    link_ = resource_.text("altlink", colon == std::string::npos ? "" : resource_.title.substr(colon + 1));
    ensure_ = present_or_absent(resource_);
    if (!name_.starts_with('/'))
        throw parameter_error(resource_, "name", "path must be a fully qualified path");
    if (!link_.empty() && !link_.starts_with('/'))
        throw parameter_error(resource_, "altlink", "path must be a fully qualified path");
    const std::string priority = resource_.text("priority", "0");
    const std::string_view digits = std::string_view(priority).substr(priority.starts_with('-') ? 1 : 0);
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos)
        throw parameter_error(resource_, "priority", "priority must be an integer");
}

/// The entry with this path and this link, in whichever group it is.
std::optional<AlternativeEntry::Known> AlternativeEntry::known() {
    for (const std::string& line : split(update({"--get-selections"}).output, '\n')) {
        const auto words = blank_words(line);
        if (words.empty()) continue;
        std::string link, path;
        for (const std::string& fact : split(update({"--query", words[0]}).output, '\n')) {
            const std::string value = fact.substr(std::min(fact.find(' ') + 1, fact.size()));
            if (fact.starts_with("Link: ")) link = value;
            if (link != link_ && !link.empty()) break;
            if (fact.starts_with("Alternative: ")) path = value;
            if (fact.starts_with("Priority: ") && path == name_) return Known{words[0], value};
        }
    }
    return std::nullopt;
}

bool AlternativeEntry::exists() {
    const Finished done = update({"--list", resource_.text("altname")});
    if (done.exit_code != 0) return false;
    const auto lines = split(done.output, '\n');
    return std::any_of(lines.begin(), lines.end(), [this](const auto& line) { return trim(line) == name_; });
}

Current AlternativeEntry::retrieve() {
    const bool there = exists();
    const auto own = there ? known() : std::nullopt;
    Current current;
    current.set("ensure", there ? present() : absent());
    current.set("altname", own ? Value(own->group) : absent());
    current.set("priority", own ? Value(own->priority) : absent());
    return current;
}

std::vector<Wanted> AlternativeEntry::wanted() {
    std::vector<Wanted> list;
    if (!ensure_.is_undef()) list.push_back(want("ensure", ensure_));
    for (const char* name : {"altname", "priority"}) {
        if (const Value* value = resource_.find(name)) list.push_back(want(name, *value));
    }
    return list;
}

void AlternativeEntry::create() {
    run_tool(run_, Command({"update-alternatives", "--install", link_, resource_.text("altname"), name_,
                            resource_.text("priority")}));
}

void AlternativeEntry::remove() {
    run_tool(run_, Command({"update-alternatives", "--remove", resource_.text("altname"), name_}));
}

void AlternativeEntry::sync(Wanted& wanted, const Value&) {
    if (wanted.name != "ensure" || ensure_ == absent()) remove();
    if (wanted.name != "ensure" || ensure_ == present()) create();
}

constexpr std::array<Attribute, 6> alternative_entry_attributes = {
    {{"name", Kind::Namevar, "String", "The path of the program."},
     {"altlink", Kind::Namevar, "String", "The link that everybody uses, such as /usr/bin/editor."},
     {"ensure", Kind::Property, "Enum[present, absent]", "Whether it should exist."},
     {"altname", Kind::Property, "String", "The name of the group, such as editor."},
     {"priority", Kind::Property, "Variant[Integer, String]",
      "A whole number; the largest counts in mode auto."},
     {"altlink_ro", Kind::Property, "String", "The link that everybody uses. Can only be audited."}}};

}  // namespace

const TypeSpec& alternative_entry_type() {
    static const TypeSpec spec{"alternative_entry",
                               "A program that a name may stand for, of the module alternatives.", "dpkg",
                               alternative_entry_attributes, make_instance_of<AlternativeEntry>};
    return spec;
}

}  // namespace volley::agent
