#include <algorithm>
#include <array>

#include "apply/agent/machine/accounts.hpp"
#include "apply/agent/machine/files.hpp"
#include "apply/agent/types/ini/found_settings.hpp"
#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tool.hpp"
#include "apply/agent/values/whole_number.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

/// Users below it belong to the system.
std::int64_t largest_system_uid() {
    constexpr std::int64_t usual = 499;
    if (!file_exists("/etc/login.defs")) return usual;
    for (const std::string& line : split(read_whole("/etc/login.defs"), '\n')) {
        const std::string_view text = trim(line);
        if (!text.starts_with("UID_MIN")) continue;
        const std::string_view rest = text.substr(7);
        const std::string_view number = trim(rest.substr(0, rest.find('#')));
        if (rest.empty() || (rest[0] != ' ' && rest[0] != '\t')) continue;
        if (const auto least = decimal(number)) return static_cast<std::int64_t>(*least) - 1;
    }
    return usual;
}

/// Everything of a type that is not in the catalog goes.
class Resources final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    Current retrieve() override { return {}; }
    std::vector<Wanted> wanted() override { return {}; }
    void sync(Wanted&, const Value&) override {}
    std::vector<std::unique_ptr<Resource>> generate() override;

private:
    void keep_uids(const Value& uids);
    bool goes(Resource& found) const;
    void take_over(Resource& found) const;

    std::string name_;
    const TypeSpec* type_ = nullptr;
    std::shared_ptr<const ModuleType> module_type_;  // where the type is not one of the agent itself
    bool purge_ = false;
    std::optional<std::int64_t> largest_kept_uid_;
    std::vector<std::int64_t> kept_uids_;
};

void Resources::prepare() {
    name_ = resource_.text("name", resource_.title);
    type_ = find_type(name_);
    purge_ = converted_boolean(resource_, "purge", false);
    static constexpr std::array<std::string_view, 3> of_the_compiler = {"stage", "whit", "component"};
    const auto explained = run_.catalog.module_types.find(lower(name_));
    if (explained != run_.catalog.module_types.end()) module_type_ = explained->second;
    const bool is_known =
        type_ != nullptr || module_type_ || run_.catalog.other_types.contains(lower(name_)) ||
        std::find(of_the_compiler.begin(), of_the_compiler.end(), name_) != of_the_compiler.end();
    if (!is_known) throw parameter_error(resource_, "name", "Could not find resource type '" + name_ + "'");
    if (purge_ && !module_type_ && (type_ == nullptr || type_->attribute("ensure") == nullptr))
        throw parameter_error(resource_, "purge", "Purging is only supported on types that accept 'ensure'");
    const std::string unless = resource_.text("unless_system_user", name_ == "user" ? "true" : "false");
    if (unless == "true") {
        largest_kept_uid_ = largest_system_uid();
    } else if (const auto number = decimal(unless)) {
        largest_kept_uid_ = *number;
    } else if (unless != "false") {
        throw invalid_parameter(resource_, "unless_system_user", "true, false", "/^\\d+$/");
    }
    if (const Value* uids = resource_.find("unless_uid")) keep_uids(*uids);
}

/// Numbers, as such or as texts, in lists of any depth.
void Resources::keep_uids(const Value& uids) {
    const auto failed = [this](const std::string& why) {
        return conversion_error(resource_, "unless_uid", *resource_.find("unless_uid"), why);
    };
    if (uids.is(Value::Kind::Array)) {
        for (const Value& one : uids.items()) keep_uids(one);
    } else if (uids.is(Value::Kind::Integer)) {
        kept_uids_.push_back(uids.integer());
    } else if (uids.is_text()) {
        const auto number = whole_number(uids.text());
        if (!number) throw failed("invalid value for Integer(): " + uids.inspected());
        kept_uids_.push_back(*number);
    } else {
        throw failed(invalid_value(uids));
    }
}

bool Resources::goes(Resource& found) const {
    if (name_ != "user" || !largest_kept_uid_) return true;
    found.audit = TextList::Texts{"uid"};
    static constexpr std::array<std::string_view, 6> never = {"root",     "nobody", "bin",
                                                              "noaccess", "daemon", "sys"};
    if (std::find(never.begin(), never.end(), found.title) != never.end()) return false;
    const auto user = user_named(found.title);
    if (!user) return false;
    const auto uid = static_cast<std::int64_t>(user->uid);
    if (std::find(kept_uids_.begin(), kept_uids_.end(), uid) != kept_uids_.end()) return false;
    return uid > *largest_kept_uid_;
}

/// What was said of all counts for each, such as `noop` and what comes before and after it.
void Resources::take_over(Resource& found) const {
    found.noop = resource_.noop;
    found.loglevel = resource_.loglevel;
    found.schedule = resource_.schedule;
    found.require = resource_.require;
    found.before = resource_.before;
    found.subscribe = resource_.subscribe;
    found.notify = resource_.notify;
    if (!resource_.audit.empty()) found.audit = resource_.audit;
}

std::vector<std::unique_ptr<Resource>> Resources::generate() {
    std::vector<std::unique_ptr<Resource>> made;
    // Compatibility: of these Puppet lists none.
    if (!purge_ || name_ == "file" || name_ == "ssh_authorized_key") return made;
    if (!module_type_ && (type_->instances == nullptr || !type_->can_purge))
        throw ApplyError("The agent cannot list what there is of the type " + name_);
    for (auto& found : module_type_ ? found_settings(name_, module_type_) : type_->instances(run_)) {
        if (run_.catalog.find(found->reference()) != nullptr || !goes(*found)) continue;
        found->set("ensure", text_value("absent"));
        found->generated = true;
        take_over(*found);
        // One that cannot be a resource keeps all of them.
        make_instance(*found, run_);
        found->instance.reset();
        found->in_place = false;
        made.push_back(std::move(found));
    }
    return made;
}

constexpr std::array<Attribute, 4> resources_attributes = {
    {{"name", Kind::Namevar, "String",
      "The type; purged can be cron, group, host, mailalias, mount, sshkey, user, and what a module has for "
      "the settings of one file, such as nova_config."},
     {"purge", Kind::Parameter, "Boolean", "Whether those that nobody manages are removed (false)."},
     {"unless_system_user", Kind::Parameter, "Variant[Boolean, Integer]",
      "Of users: true keeps those of the system, a number those up to it (true)."},
     {"unless_uid", Kind::Parameter, "Variant[Integer, String, Array]", "Of users: numbers that are kept."}}};

}  // namespace

const TypeSpec& resources_type() {
    static const TypeSpec spec{"resources", "Removes what is not in the catalog.", "", resources_attributes,
                               make_instance_of<Resources>};
    return spec;
}

}  // namespace volley::agent
