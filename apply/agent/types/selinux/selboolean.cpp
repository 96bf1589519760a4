#include <array>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tool.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

constexpr const char* getter = "/usr/sbin/getsebool";
constexpr const char* setter = "/usr/sbin/setsebool";

/// A switch of the SELinux policy.
class SelBoolean final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    std::string_view provider() const override { return "getsetsebool"; }
    bool suitable() override { return file_exists(getter) && file_exists(setter); }
    Current retrieve() override;
    std::vector<Wanted> wanted() override {
        if (value_.empty()) return {};
        return {want("value", Value::symbol(value_), is_sensitive("value"))};
    }
    void sync(Wanted& wanted, const Value& current) override;

private:
    std::string name_, value_;
    bool persistent_ = false;
};

void SelBoolean::prepare() {
    name_ = resource_.text("name", resource_.title);
    value_ = word_parameter(resource_, "value", "on, off, true, false");
    if (value_ == "true") value_ = "on";
    if (value_ == "false") value_ = "off";
    persistent_ = true_or_false(resource_, "persistent", false);
}

Current SelBoolean::retrieve() {
    Current current;
    if (!reads("value")) return current;
    const std::string answer = run_tool(run_, Command({getter, name_}));
    for (const char* word : {"on", "off"}) {
        if (answer.ends_with(std::string(" ") + word)) current.set("value", Value::symbol(word));
    }
    if (current.all().empty()) throw ApplyError("Invalid response '" + answer + "' returned from getsebool");
    return current;
}

void SelBoolean::sync(Wanted&, const Value&) {
    Command command(std::vector<std::string>{setter});
    if (persistent_) command.argv.emplace_back("-P");
    command.argv.insert(command.argv.end(), {name_, value_});
    run_tool(run_, std::move(command));
}

constexpr std::array<Attribute, 3> selboolean_attributes = {
    {{"name", Kind::Namevar, "String", "Its name."},
     {"value", Kind::Property, "Variant[Boolean, Enum[on, off]]", "Whether it is on."},
     {"persistent", Kind::Parameter, "Boolean", "Whether it stays so after a restart (false)."}}};

}  // namespace

const TypeSpec& selboolean_type() {
    static const TypeSpec spec{"selboolean", "A switch of the SELinux policy.", "getsetsebool",
                               selboolean_attributes, make_instance_of<SelBoolean>};
    return spec;
}

}  // namespace volley::agent
