#include <algorithm>
#include <array>
#include <set>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tables/edited_table.hpp"
#include "apply/agent/types/tables/table_text.hpp"
#include "apply/agent/types/tool.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

constexpr const char* usual_target = "/etc/ssh/ssh_known_hosts";

struct KnownType {
    std::string_view name, alias;
};
constexpr std::array<KnownType, 8> host_key_types = {{{"ssh-dss", "dsa"},
                                                      {"ssh-ed25519", "ed25519"},
                                                      {"ssh-rsa", "rsa"},
                                                      {"ecdsa-sha2-nistp256", ""},
                                                      {"ecdsa-sha2-nistp384", ""},
                                                      {"ecdsa-sha2-nistp521", ""},
                                                      {"sk-ecdsa-sha2-nistp256@openssh.com", "ecdsa-sk"},
                                                      {"sk-ssh-ed25519@openssh.com", "ed25519-sk"}}};

/// A line of a file of known hosts: a key, or something else that stays as it is.
struct HostKeyLine {
    std::string text;
    std::vector<std::string> names;  // the host, and what else it is called; none: no key
    std::string type, key;
    bool is_key() const { return !names.empty(); }
    std::string line() const { return is_key() ? join(names, ",") + " " + type + " " + key : text; }
};

HostKeyLine host_key_line(const std::string& line) {
    HostKeyLine found;
    found.text = line;
    const auto words = blank_words(line);
    if (words.size() < 3 || is_blank(line[0]) || line[0] == '#') return found;
    found.names = split(words[0], ',');
    found.type = words[1];
    found.key = join(std::vector<std::string>(words.begin() + 2, words.end()), " ");
    return found;
}

/// The key of a host that is known to everybody on the machine.
class HostKey final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    std::string_view provider() const override { return "parsed"; }
    Current retrieve() override;
    std::vector<Wanted> wanted() override;
    void sync(Wanted& wanted, const Value& current) override;
    void flush() override;

private:
    void read_title();
    Value aliases_of(const HostKeyLine& line) const;

    std::string name_, type_, target_;
    Value ensure_;
    EditedTable<HostKeyLine> table_;
};

/// "host@type", or a host only.
void HostKey::read_title() {
    const std::size_t at = resource_.title.find('@');
    const Value* given = resource_.find("name");
    name_ = given != nullptr ? matched_text(*given) : resource_.title.substr(0, at);
    type_ = resource_.text("type", at == std::string::npos ? "" : resource_.title.substr(at + 1));
    const Value* given_type = resource_.find("type");
    const bool is_list = given_type != nullptr && given_type->is(Value::Kind::Array);
    bool known = type_.empty() && given_type == nullptr;
    std::string words;
    for (const KnownType& type : host_key_types) {
        if (!type.alias.empty() && type_ == type.alias) type_ = type.name;
        known = known || (type_ == type.name && !is_list);
        words += (words.empty() ? "" : ", ") + std::string(type.name);
    }
    // Compatibility: where one of the two is not valid, its part of the name is missing.
    const auto refuse = [](const char* name, const std::string& known_type, const std::string& why) {
        return ApplyError("Parameter " + std::string(name) + " failed on Sshkey[@" + known_type +
                          "]: " + why);
    };
    if (!known)
        throw refuse("type", "", invalid_value(given_type != nullptr ? *given_type : Value(type_), words));
    if (std::any_of(name_.begin(), name_.end(), is_blank))
        throw refuse("name", type_, "Resourcename cannot include whitespaces");
    if (name_.find(',') != std::string::npos)
        throw refuse("name", type_,
                     "No comma in resourcename allowed. If you want to specify aliases use the host_aliases "
                     "property");
    // Compatibility: a host may have a key of each type, so that reports name both.
    if (const std::string title = name_ + "@" + type_; resource_.title != title) {
        resource_.title = title;
        run_.catalog.add_alias(resource_.reference(), resource_);
    }
}

void HostKey::prepare() {
    read_title();
    target_ = resource_.text("target", usual_target);
    ensure_ = present_or_absent(resource_);
    for (const Value& one : each_value(resource_, "host_aliases")) {
        const std::string alias = matched_text(one);
        if (std::any_of(alias.begin(), alias.end(), is_blank))
            throw parameter_error(resource_, "host_aliases", "Aliases cannot include whitespace");
        if (alias.find(',') != std::string::npos)
            throw parameter_error(resource_, "host_aliases",
                                  "Aliases must be provided as an array, not a comma-separated list");
    }
}

Value HostKey::aliases_of(const HostKeyLine& line) const {
    Value::Items items;
    for (std::size_t i = 1; i < line.names.size(); ++i) items.emplace_back(line.names[i]);
    return Value(std::move(items));
}

Current HostKey::retrieve() {
    table_.read(target_, host_key_line, [this](const HostKeyLine& line) {
        return line.is_key() && line.names[0] == name_ && line.type == type_;
    });
    const HostKeyLine* own = table_.own();
    Current current;
    current.set("ensure", table_.own() != nullptr ? present() : absent());
    if (reads("key")) current.set("key", own != nullptr ? Value(own->key) : absent());
    if (reads("host_aliases")) current.set("host_aliases", own != nullptr ? aliases_of(*own) : absent());
    current.set("target", table_.own() != nullptr ? Value(target_) : absent());
    return current;
}

std::vector<Wanted> HostKey::wanted() {
    std::vector<Wanted> list;
    if (!ensure_.is_undef()) list.push_back(want("ensure", ensure_));
    if (const Value* key = resource_.find("key")) list.push_back(want("key", *key, is_sensitive("key")));
    if (resource_.find("host_aliases") != nullptr) {
        Value::Items items;
        for (const std::string& alias : resource_.texts("host_aliases")) items.emplace_back(alias);
        list.push_back(want("host_aliases", Value(std::move(items)), is_sensitive("host_aliases")));
    }
    return list;
}

void HostKey::sync(Wanted& wanted, const Value&) {
    const bool all = wanted.name == "ensure";
    if (all && ensure_ == absent()) {
        table_.remove_own();
        return;
    }
    if (table_.own() == nullptr) {
        HostKeyLine& made = table_.make_own();
        made.names = {name_};
        made.type = type_;
    }
    HostKeyLine& line = *table_.own();
    if (all || wanted.name == "key") line.key = resource_.text("key");
    if (!all && wanted.name != "host_aliases") return;
    line.names = {name_};
    for (std::string& alias : resource_.texts("host_aliases")) line.names.push_back(std::move(alias));
}

void HostKey::flush() {
    const bool has_key =
        table_.own() != nullptr && (!table_.own()->key.empty() || resource_.find("key") != nullptr);
    if (table_.own() != nullptr && (type_.empty() || !has_key))
        throw ApplyError(std::string("Field '") + (type_.empty() ? "type" : "key") + "' is required");
    replace_content(target_, table_.text(), 0644);
}

std::vector<std::unique_ptr<Resource>> host_keys_found(Run&) {
    std::vector<std::unique_ptr<Resource>> found;
    std::set<std::string> titles;
    for (const std::string& line : table_file_lines(usual_target)) {
        const HostKeyLine key = host_key_line(line);
        if (!key.is_key()) continue;
        auto resource = found_resource("sshkey", key.names[0] + "@" + key.type);
        if (titles.insert(resource->title).second) found.push_back(std::move(resource));
    }
    return found;
}

constexpr std::array<Attribute, 6> host_key_attributes = {
    {{"name", Kind::Namevar, "String", "The name of the host. A title \"NAME@TYPE\" sets both."},
     {"type", Kind::Namevar,
      "Enum[ssh-dss, ssh-ed25519, ssh-rsa, ecdsa-sha2-nistp256, ecdsa-sha2-nistp384, ecdsa-sha2-nistp521, "
      "'sk-ecdsa-sha2-nistp256@openssh.com', 'sk-ssh-ed25519@openssh.com', dsa, ed25519, rsa, ecdsa-sk, "
      "ed25519-sk]",
      "The kind of key."},
     {"ensure", Kind::Property, "Enum[present, absent]", "Whether it should exist."},
     {"key", Kind::Property, "String", "The key itself."},
     {"host_aliases", Kind::Property, "Variant[String, Array[String]]", "Further names of the host."},
     {"target", Kind::Property, "String", "The file (/etc/ssh/ssh_known_hosts)."}}};

}  // namespace

const TypeSpec& sshkey_type() {
    static const TypeSpec spec{"sshkey",
                               "The key of a host that is known.",
                               "parsed",
                               host_key_attributes,
                               make_instance_of<HostKey>,
                               host_keys_found};
    return spec;
}

}  // namespace volley::agent
