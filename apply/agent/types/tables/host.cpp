#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "apply/agent/machine/accounts.hpp"
#include "apply/agent/machine/files.hpp"
#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tables/edited_table.hpp"
#include "apply/agent/types/tables/table_text.hpp"
#include "apply/agent/types/tool.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

/// A line of /etc/hosts: an entry, or something else that stays as it is.
struct HostLine {
    std::string text;  // of what is not an entry
    std::string ip, name, aliases, comment;
    bool without_aliases = false;  ///< an empty list was asked for, which leaves a trace when it is written
    bool is_entry() const { return !ip.empty(); }
    std::string line() const {
        if (!is_entry()) return text;
        return ip + "\t" + name + (aliases.empty() && !without_aliases ? "" : "\t" + aliases) +
               (comment.empty() ? "" : "\t# " + comment);
    }
};

/// Compatibility: a hash within the address or the first name belongs to it; blanks at the end of further
/// names stay.
HostLine host_line(const std::string& line) {
    HostLine found;
    found.text = line;
    const bool starts_address = !line.empty() && (std::isdigit(static_cast<unsigned char>(line[0])) != 0 ||
                                                  line[0] == ':' || (line[0] >= 'a' && line[0] <= 'f'));
    std::string_view rest = line;
    const auto word = [&rest] {
        const auto end = std::find_if(rest.begin(), rest.end(), is_blank);
        const auto next = std::find_if_not(end, rest.end(), is_blank);
        const std::string_view text = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
        rest.remove_prefix(static_cast<std::size_t>(next - rest.begin()));
        return text;
    };
    const std::string_view ip = word(), name = word();
    if (!starts_address || ip.size() < 2 || name.size() < 2 || name[0] == '#' || name[0] == '+') return found;
    found.ip = ip;
    found.name = name;
    const std::size_t hash = rest.find('#');
    const std::string_view aliases = rest.substr(0, hash);
    found.aliases = join(blank_words(aliases), " ");
    if (hash != std::string_view::npos)
        found.comment = rest.substr(std::min(rest.find_first_not_of(" \t\r\n\f\v", hash + 1), rest.size()));
    else if (!aliases.empty() && is_blank(aliases.back()))
        found.aliases += ' ';
    return found;
}

/// Compatibility: zeros in front of a number are allowed, which inet_pton() refuses.
bool is_ipv4(const std::string& text) {
    const auto numbers = split(text, '.');
    return numbers.size() == 4 && std::all_of(numbers.begin(), numbers.end(), [](const std::string& number) {
               const auto value = decimal(number);
               return value && number.size() <= 3 && *value <= 255;
           });
}

bool is_host_name(std::string name) {
    while (name.ends_with('.')) name.pop_back();
    for (const std::string& part : split(name, '.')) {
        const auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
        if (part.empty() || !word(part.front()) || !word(part.back())) return false;
        if (!std::all_of(part.begin(), part.end(), [&](char c) { return word(c) || c == '-'; })) return false;
    }
    return true;
}

/// An entry of /etc/hosts.
class Host final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    std::string_view provider() const override { return "parsed"; }
    Current retrieve() override;
    std::vector<Wanted> wanted() override;
    bool in_sync(Wanted& wanted, const Value& current) override;
    void sync(Wanted& wanted, const Value& current) override;
    void flush() override;
    std::string shown_current(const Wanted& wanted, const Value& value) override;
    bool is_unchanged(const Wanted& wanted, const Value& before, const Value& current) override;

private:
    std::string name_, target_;
    Value ensure_;
    EditedTable<HostLine> table_;
};

void Host::prepare() {
    if (const Value* name = resource_.find("name"); name != nullptr && !name->is(Value::Kind::String))
        throw check_error(resource_, "name", no_method(*name, "split"));
    name_ = resource_.text("name", resource_.title);
    target_ = resource_.text("target", "/etc/hosts");
    ensure_ = present_or_absent(resource_);
    if (!is_host_name(name_)) throw parameter_error(resource_, "name", "Invalid host name");
    for (const Value& ip : each_value(resource_, "ip")) {
        if (!ip.is(Value::Kind::String)) throw check_error(resource_, "ip", no_method(ip, "match"));
        std::array<unsigned char, 16> bytes{};
        const std::string& text = ip.text();
        const std::string plain = text.substr(0, text.find('%'));
        if (!is_ipv4(text) && ::inet_pton(AF_INET6, plain.c_str(), bytes.data()) != 1)
            throw parameter_error(resource_, "ip", "Invalid IP address " + ip.inspected());
    }
    for (const Value& one : each_value(resource_, "host_aliases")) {
        if (one.is_undef()) continue;
        const std::string alias = matched_text(one);
        if (std::any_of(alias.begin(), alias.end(), is_blank))
            throw parameter_error(resource_, "host_aliases", "Host aliases cannot include whitespace");
        if (alias.empty())
            throw parameter_error(
                resource_, "host_aliases",
                "Host aliases cannot be an empty string. Use an empty array to delete all host_aliases ");
    }
    for (const Value& one : each_value(resource_, "comment")) {
        if (!one.is(Value::Kind::String) && !one.is(Value::Kind::Array) && !one.is(Value::Kind::Hash))
            throw check_error(resource_, "comment", no_method(one, "include?"));
    }
    if (resource_.text("comment").find_first_of("\r\n") != std::string::npos)
        throw parameter_error(resource_, "comment", "Comment cannot include newline");
}

Current Host::retrieve() {
    table_.read(target_, host_line,
                [this](const HostLine& line) { return line.is_entry() && line.name == name_; });
    const HostLine* own = table_.own();
    Current current;
    current.set("ensure", table_.own() != nullptr ? present() : absent());
    const auto set = [&](const char* name, const auto& read) {
        if (reads(name)) current.set(name, own != nullptr ? Value(read(*own)) : absent());
    };
    set("ip", [](const HostLine& line) { return text_value(line.ip); });
    set("host_aliases", [](const HostLine& line) {
        if (line.aliases.empty()) return absent();
        Value::Items items;
        for (const std::string& alias : blank_words(line.aliases)) items.emplace_back(alias);
        return Value(std::move(items));
    });
    set("comment", [](const HostLine& line) { return text_value(line.comment); });
    current.set("target", table_.own() != nullptr ? Value(target_) : absent());
    return current;
}

std::vector<Wanted> Host::wanted() {
    std::vector<Wanted> list;
    if (!ensure_.is_undef()) list.push_back(want("ensure", ensure_));
    if (const Value* ip = resource_.find("ip")) list.push_back(want("ip", *ip, is_sensitive("ip")));
    if (resource_.find("host_aliases") != nullptr)
        list.push_back(want("host_aliases", Value(join(resource_.texts("host_aliases"), " "))));
    if (const Value* comment = resource_.find("comment"))
        list.push_back(want("comment", *comment, is_sensitive("comment")));
    return list;
}

bool Host::in_sync(Wanted& wanted, const Value& current) {
    if (wanted.name != "host_aliases") return Instance::in_sync(wanted, current);
    // The word "absent" is an alias as any other.
    return words_of(current, ' ') == (wanted.value.is(Value::Kind::Array)
                                          ? words_of(wanted.value, ' ')
                                          : blank_words(wanted.value.to_text()));
}

bool Host::is_unchanged(const Wanted& wanted, const Value& before, const Value& current) {
    // Compatibility: where there were no aliases, they were something else before.
    if (wanted.name == "host_aliases" && before == absent()) return false;
    Wanted earlier = wanted;
    earlier.value = before;
    return in_sync(earlier, current);
}

std::string Host::shown_current(const Wanted& wanted, const Value& value) {
    if (wanted.name != "host_aliases" || !value.is(Value::Kind::Array)) return value.shown();
    return join(words_of(value, ' '), " ");
}

void Host::sync(Wanted& wanted, const Value&) {
    if (wanted.name == "ensure" && ensure_ == absent()) {
        table_.remove_own();
        return;
    }
    if (table_.own() == nullptr) table_.make_own().name = name_;
    HostLine& line = *table_.own();
    const auto take = [&](const char* name, std::string HostLine::*field, std::string value) {
        if (wanted.name == name || (wanted.name == "ensure" && resource_.find(name) != nullptr))
            line.*field = std::move(value);
    };
    take("ip", &HostLine::ip, resource_.text("ip"));
    take("host_aliases", &HostLine::aliases, join(resource_.texts("host_aliases"), " "));
    line.without_aliases = resource_.find("host_aliases") != nullptr && line.aliases.empty() &&
                           (wanted.name == "host_aliases" || wanted.name == "ensure");
    take("comment", &HostLine::comment, resource_.text("comment"));
}

void Host::flush() {
    if (table_.own() != nullptr && table_.own()->ip.empty())
        throw ApplyError("ip is a required attribute for hosts");
    replace_content(target_, table_.text(), 0644);
}

std::vector<std::unique_ptr<Resource>> hosts_found(Run&) {
    std::vector<std::unique_ptr<Resource>> found;
    std::set<std::string> names;
    for (const std::string& line : table_file_lines("/etc/hosts")) {
        const HostLine host = host_line(line);
        if (host.is_entry() && names.insert(host.name).second)
            found.push_back(found_resource("host", host.name));
    }
    return found;
}

constexpr std::array<Attribute, 6> host_attributes = {
    {{"name", Kind::Namevar, "String", "The name."},
     {"ensure", Kind::Property, "Enum[present, absent]", "Whether it should exist."},
     {"ip", Kind::Property, "String", "The address."},
     {"host_aliases", Kind::Property, "Variant[String, Array[String]]", "Further names."},
     {"comment", Kind::Property, "String", "A comment at the end of the line."},
     {"target", Kind::Property, "String", "The file (/etc/hosts)."}}};

}  // namespace

const TypeSpec& host_type() {
    static const TypeSpec spec{"host",          "An entry of /etc/hosts.", "parsed",
                               host_attributes, make_instance_of<Host>,    hosts_found};
    return spec;
}

}  // namespace volley::agent
