#include <array>
#include <charconv>

#include "apply/agent/text/pattern.hpp"
#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tool.hpp"
#include "support/text.hpp"
#include "support/unicode/utf8.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

constexpr std::size_t longest_message = 8000;
constexpr std::int64_t usual_timeout = 60;

/// That a reboot is under way already.
struct RebootState {
    bool scheduled = false;
};

/// A reboot when something has changed, of puppetlabs-reboot.
class Reboot final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    std::string_view provider() const override { return provider_; }
    bool suitable() override { return has_tool("shutdown"); }
    std::string needs() const override { return "the command shutdown is not there"; }
    Current retrieve() override {
        Current current;
        current.set("when", absent());
        return current;
    }
    std::vector<Wanted> wanted() override { return {want("when", Value::symbol("refreshed"))}; }
    bool in_sync(Wanted&, const Value&) override { return true; }
    void sync(Wanted&, const Value&) override {}
    bool can_refresh() const override { return true; }
    void refresh() override;

private:
    std::string provider_, message_;
    std::int64_t seconds_ = usual_timeout;
    bool at_once_ = true;
};

void Reboot::prepare() {
    provider_ = resource_.text("provider", "posix");
    if (word_parameter(resource_, "when", "refreshed, pending") == "pending")
        throw parameter_error(resource_, "when",
                              "Provider " + provider_ +
                                  " must have features 'manages_reboot_pending' to set 'when' to 'pending'");
    at_once_ = word_parameter(resource_, "apply", "immediately, finished", "immediately") == "immediately";
    message_ = resource_.text("message", "Puppet is rebooting the computer");
    if (message_.empty())
        throw parameter_error(resource_, "message", "A non-empty message must be specified.");
    if (character_count(message_) > longest_message)
        throw parameter_error(resource_, "message", "The given message must not exceed 8000 characters.");
    if (const Value* timeout = resource_.find("timeout")) {
        const std::string text = timeout->to_text();
        const char* end = text.data() + text.size();
        const auto [rest, fault] = std::from_chars(text.data(), end, seconds_);
        if (fault != std::errc() || rest != end || seconds_ < 0)
            throw parameter_error(resource_, "timeout", "The timeout must be an integer.");
    }
    for (const char* name : {"onlyif", "unless"})
        leave_unmanaged(run_, resource_, provider_, "manages_reboot_pending", name);
}

void Reboot::refresh() {
    if (std::exchange(run_.shared<RebootState>().scheduled, true)) {
        run_.log(Level::Debug, "Reboot already scheduled; skipping");
        return;
    }
    run_.log(Level::Notice, "Scheduling system reboot with message: \"" + message_ + "\"");
    if (at_once_) run_.stop();
    const std::int64_t minutes = seconds_ / 60 + (seconds_ % 60 != 0 ? 1 : 0);
    if (seconds_ % 60 != 0)
        run_.log(Level::Warning, "Shutdown command on this system specifies time in minutes, rounding " +
                                     std::to_string(seconds_) + " seconds up to " + std::to_string(minutes) +
                                     " minutes.");
    // After the report, which would otherwise be lost.
    run_.start_last({tool_path("shutdown"), "-r", "+" + std::to_string(minutes), message_});
}

constexpr std::array<Attribute, 7> reboot_attributes = {
    {{"name", Kind::Namevar, "String", "A name."},
     {"when", Kind::Property, "Enum[refreshed, pending]",
      "When it reboots (refreshed); pending is there on Windows only."},
     {"apply", Kind::Parameter, "Enum[immediately, finished]",
      "Whether it reboots after this resource or after all (immediately)."},
     {"message", Kind::Parameter, "String", "What users of the machine read."},
     {"timeout", Kind::Parameter, "Integer", "Seconds until the reboot, rounded up to minutes (60)."},
     {"onlyif", Kind::Parameter, "Any", "On Windows only."},
     {"unless", Kind::Parameter, "Any", "On Windows only."}}};

}  // namespace

const TypeSpec& reboot_type() {
    static const TypeSpec spec{"reboot",
                               "Reboots the machine when something has changed, of the module reboot.",
                               "linux posix", reboot_attributes, make_instance_of<Reboot>};
    return spec;
}

}  // namespace volley::agent
