#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tool.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

constexpr const char* plugins_tool = "rabbitmq-plugins";
/// A server that has just been started does not answer at once.
constexpr int most_tries = 30;
constexpr unsigned seconds_between_tries = 6;
constexpr double longest_try = 20;

/// A plugin of RabbitMQ, of the module rabbitmq.
class RabbitmqPlugin final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    std::string_view provider() const override { return "rabbitmqplugins"; }
    bool suitable() override { return find_tool().has_value(); }
    std::string needs() const override { return "the command rabbitmq-plugins is not there"; }
    Current retrieve() override;
    std::vector<Wanted> wanted() override { return {want("ensure", ensure_)}; }
    void sync(Wanted& wanted, const Value& current) override;

private:
    static std::optional<std::string> find_tool() {
        std::vector<std::string> folders = search_path();
        folders.emplace_back("/usr/lib/rabbitmq/bin");
        return find_program(plugins_tool, folders);
    }
    static Command command(std::vector<std::string> words) {
        words.insert(words.begin(), find_tool().value_or(plugins_tool));
        Command made(std::move(words));
        made.environment = {{"HOME", "/tmp"}};
        return made;
    }
    std::string enabled_plugins();

    std::string name_;
    mode_t umask_ = 0022;
    Value ensure_;
};

void RabbitmqPlugin::prepare() {
    name_ = resource_.text("name", resource_.title);
    ensure_ = present_or_absent(resource_, true);
    if (name_.empty() || name_.find_first_of(" \t\r\n\f\v") != std::string::npos)
        throw parameter_error(resource_, "name", invalid_value(Value(name_), {}, "/^\\S+$/"));
    if (const Value* umask = resource_.find("umask")) {
        const std::string text = umask->to_text();
        unsigned mask = 0;
        const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), mask, 8);
        const bool fits = text.size() <= 3 || (text.size() == 4 && text[0] == '0');
        if (fault != std::errc() || end != text.data() + text.size() || !fits)
            throw parameter_error(resource_, "umask",
                                  "The umask specification is invalid: " + umask->inspected());
        umask_ = static_cast<mode_t>(mask);
    }
}

std::string RabbitmqPlugin::enabled_plugins() {
    for (int tried = 1;; ++tried) {
        Command list = command({"list", "-E", "-m"});
        list.timeout = longest_try;
        Finished done = try_tool(run_, std::move(list));
        if (done.exit_code == 0 && !done.timed_out) return std::move(done.output);
        if (tried == most_tries) break;
        ::sleep(seconds_between_tries);
    }
    throw ApplyError("Command is still failing after 180 seconds expired!");
}

Current RabbitmqPlugin::retrieve() {
    const std::vector<std::string> plugins = split(enabled_plugins(), '\n');
    Current current;
    current.set("ensure",
                std::find(plugins.begin(), plugins.end(), name_) != plugins.end() ? present() : absent());
    return current;
}

void RabbitmqPlugin::sync(Wanted&, const Value&) {
    Command change = command({ensure_ == absent() ? "disable" : "enable", name_});
    if (ensure_ == present()) change.umask = umask_;
    run_tool(run_, std::move(change));
}

constexpr std::array<Attribute, 3> rabbitmq_plugin_attributes = {
    {{"name", Kind::Namevar, "String", "The name of the plugin."},
     {"ensure", Kind::Property, "Enum[present, absent]", "Whether it is enabled (present)."},
     {"umask", Kind::Parameter, "String", "The umask while it is enabled, in octal (0022)."}}};

}  // namespace

const TypeSpec& rabbitmq_plugin_type() {
    static const TypeSpec spec{"rabbitmq_plugin", "A plugin of RabbitMQ, of the module rabbitmq.",
                               "rabbitmqplugins", rabbitmq_plugin_attributes,
                               make_instance_of<RabbitmqPlugin>};
    return spec;
}

}  // namespace volley::agent
