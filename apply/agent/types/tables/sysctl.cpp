#include <array>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/types/tables/edited_table.hpp"
#include "apply/agent/types/tables/table_text.hpp"
#include "apply/agent/types/tool.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

constexpr const char* usual_target = "/etc/sysctl.conf";

/// A line of sysctl.conf: a setting, or something else that stays as it is. So does "kernel.core_pattern =",
/// which sets nothing: Puppet cannot write a file that has such a line.
struct SysctlLine {
    std::string text;
    std::string name, value;  // no name: no setting
    std::string line() const { return name.empty() || value.empty() ? text : name + "=" + value; }
};

SysctlLine sysctl_line(const std::string& line) {
    SysctlLine found;
    found.text = line;
    const std::string_view plain = trim(line);
    const std::size_t equals = line.find('=');
    if (plain.empty() || plain[0] == '#' || equals == std::string::npos) return found;
    std::size_t name_end = equals, value_begin = equals + 1;
    while (name_end > 0 && is_blank(line[name_end - 1])) --name_end;
    while (value_begin < line.size() && is_blank(line[value_begin])) ++value_begin;
    if (name_end == 0) return found;
    found.name = line.substr(0, name_end);
    found.value = line.substr(value_begin);
    return found;
}

/// A kernel parameter that is set at boot, of duritong-sysctl.
class Sysctl final : public Instance {
public:
    using Instance::Instance;

    void prepare() override {
        name_ = resource_.text("name", resource_.title);
        target_ = resource_.text("target", usual_target);
        ensure_ = present_or_absent(resource_);
    }
    std::string_view provider() const override { return "parsed"; }
    bool suitable() override { return file_exists(usual_target); }
    Current retrieve() override;
    std::vector<Wanted> wanted() override;
    void sync(Wanted& wanted, const Value& current) override;
    void flush() override;

private:
    std::string name_, target_;
    Value ensure_;
    EditedTable<SysctlLine> table_;
};

Current Sysctl::retrieve() {
    table_.read(target_, sysctl_line, [this](const SysctlLine& line) { return line.name == name_; });
    const SysctlLine* own = table_.own();
    Current current;
    current.set("ensure", table_.own() != nullptr ? present() : absent());
    const bool has_value = own != nullptr && !own->value.empty();
    if (reads("val")) current.set("val", has_value ? Value(own->value) : absent());
    current.set("target", table_.own() != nullptr ? Value(target_) : absent());
    return current;
}

std::vector<Wanted> Sysctl::wanted() {
    std::vector<Wanted> list;
    if (!ensure_.is_undef()) list.push_back(want("ensure", ensure_));
    if (const Value* value = resource_.find("val")) list.push_back(want("val", *value, is_sensitive("val")));
    return list;
}

void Sysctl::sync(Wanted& wanted, const Value&) {
    if (wanted.name == "ensure" && ensure_ == absent()) {
        table_.remove_own();
        return;
    }
    if (table_.own() == nullptr) table_.make_own().name = name_;
    table_.own()->value = resource_.text("val");
}

void Sysctl::flush() {
    if (table_.own() != nullptr && table_.own()->value.empty()) throw ApplyError("Field 'val' is required");
    replace_content(target_, table_.text(), 0600);
}

/// A kernel parameter as it is now.
class SysctlRuntime final : public Instance {
public:
    using Instance::Instance;

    std::string_view provider() const override { return "sysctl_runtime"; }
    bool suitable() override { return has_tool("sysctl"); }
    Current retrieve() override;
    std::vector<Wanted> wanted() override {
        const Value* value = resource_.find("val");
        if (value == nullptr) return {};
        return {want("val", *value, is_sensitive("val"))};
    }
    void sync(Wanted&, const Value&) override {
        run_tool(run_, Command({"sysctl", name() + "=" + resource_.text("val")}), is_sensitive("val"));
    }

private:
    std::string name() const { return resource_.text("name", resource_.title); }
};

Current SysctlRuntime::retrieve() {
    Command ask({"sysctl", "-n", name()});
    ask.errors = Command::Errors::Dropped;
    const Finished done = try_tool(run_, ask);
    if (done.exit_code != 0) throw ApplyError("sysctl parameter " + name() + " wasn't found on this system");
    Current current;
    if (reads("val")) current.set("val", Value(done.output));
    return current;
}

std::vector<std::unique_ptr<Resource>> sysctls_found(Run&) {
    std::vector<std::unique_ptr<Resource>> found;
    for (const std::string& line : table_file_lines(usual_target)) {
        if (const std::string name = sysctl_line(line).name; !name.empty())
            found.push_back(found_resource("sysctl", name));
    }
    return found;
}

constexpr std::array<Attribute, 4> sysctl_attributes = {
    {{"name", Kind::Namevar, "String", "The name of the parameter."},
     {"ensure", Kind::Property, "Enum[present, absent]", "Whether it should be set."},
     {"val", Kind::Property, "String", "Its value."},
     {"target", Kind::Property, "String", "The file (/etc/sysctl.conf)."}}};
constexpr std::array<Attribute, 2> sysctl_runtime_attributes = {
    {{"name", Kind::Namevar, "String", "The name of the parameter."},
     {"val", Kind::Property, "String", "Its value."}}};

}  // namespace

const TypeSpec& sysctl_type() {
    static const TypeSpec spec{"sysctl",
                               "A kernel parameter that is set at boot, of the module sysctl (duritong).",
                               "parsed",
                               sysctl_attributes,
                               make_instance_of<Sysctl>,
                               sysctls_found,
                               false};
    return spec;
}
const TypeSpec& sysctl_runtime_type() {
    static const TypeSpec spec{"sysctl_runtime",
                               "A kernel parameter as it is now, of the module sysctl (duritong).",
                               "sysctl_runtime", sysctl_runtime_attributes, make_instance_of<SysctlRuntime>};
    return spec;
}

}  // namespace volley::agent
