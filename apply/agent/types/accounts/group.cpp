#include <array>

#include "apply/agent/machine/accounts.hpp"
#include "apply/agent/types/accounts/account_numbers.hpp"
#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tool.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

/// A group of /etc/group, by the tools of shadow.
class Group final : public Instance {
public:
    using Instance::Instance;

    void prepare() override {
        name_ = resource_.text("name", resource_.title);
        ensure_ = present_or_absent(resource_, true);
        leave_unmanaged(run_, resource_, provider(), "manages_local_users_and_groups", "forcelocal");
        leave_unmanaged(run_, resource_, provider(), "manages_members", "members");
        leave_unmanaged(run_, resource_, provider(), "manages_aix_lam", "ia_load_module");
        leave_unmanaged(run_, resource_, provider(), "manages_aix_lam", "attributes");
        allow_duplicate_ = boolean_parameter(resource_, "allowdupe", false);
        system_ = boolean_parameter(resource_, "system", false);
        const Value* gid = resource_.find("gid");
        if (gid == nullptr) return;
        gid_ = number_if_digits(*gid);
        if (gid_->is_text()) throw parameter_error(resource_, "gid", "Invalid GID " + gid->to_text());
    }

    std::string_view provider() const override { return "groupadd"; }
    bool suitable() override { return has_tool("groupadd"); }

    Current retrieve() override {
        const auto group = group_named(name_);
        Current current;
        current.set("ensure", group ? present() : absent());
        if (reads("gid")) current.set("gid", group ? number_value(group->gid) : absent());
        return current;
    }

    std::vector<Wanted> wanted() override {
        std::vector<Wanted> list{want("ensure", ensure_)};
        if (gid_) list.push_back(want("gid", *gid_, is_sensitive("gid")));
        return list;
    }

    void sync(Wanted& wanted, const Value&) override {
        if (wanted.name == "gid") {
            Command modify({"groupmod", "-g", gid_->to_text()});
            if (allow_duplicate_) modify.argv.emplace_back("-o");
            act(std::move(modify), "set gid on group[" + name_ + "]");
        } else if (ensure_ == present()) {
            Command add(std::vector<std::string>{"groupadd"});
            if (gid_) add.argv.insert(add.argv.end(), {"-g", gid_->to_text()});
            if (allow_duplicate_) add.argv.emplace_back("-o");
            if (system_) add.argv.emplace_back("-r");
            act(std::move(add), "create group " + name_);
        } else {
            act(Command(std::vector<std::string>{"groupdel"}), "delete group " + name_);
        }
    }

private:
    void act(Command command, const std::string& what) {
        command.argv.push_back(name_);
        try {
            run_tool(run_, std::move(command));
        } catch (const ApplyError& error) {
            throw ApplyError("Could not " + what + ": " + error.what());
        }
    }

    std::string name_;
    Value ensure_;
    std::optional<Value> gid_;
    bool allow_duplicate_ = false, system_ = false;
};

std::vector<std::unique_ptr<Resource>> groups_found(Run&) {
    std::vector<std::unique_ptr<Resource>> found;
    for (const GroupEntry& group : all_groups()) found.push_back(found_resource("group", group.name));
    return found;
}

constexpr std::array<Attribute, 10> group_attributes = {
    {{"name", Kind::Namevar, "String", "Its name."},
     {"ensure", Kind::Property, "Enum[present, absent]", "Whether it should exist."},
     {"gid", Kind::Property, "Variant[Integer, String]", "Its number."},
     unsupported({"members", Kind::Property, "Variant[String, Array[String]]",
                  "Left alone: the tools of shadow do not manage members."}),
     {"auth_membership", Kind::Parameter, "Boolean", "Of members."},
     {"allowdupe", Kind::Parameter, "Boolean", "Whether the number may be taken already (false)."},
     {"system", Kind::Parameter, "Boolean", "Whether it is one of the system's (false)."},
     {"forcelocal", Kind::Parameter, "Boolean", "Left alone: it needs libuser."},
     {"ia_load_module", Kind::Parameter, "String", "The I&A module, on AIX."},
     unsupported(
         {"attributes", Kind::Property, "Variant[Hash, Array, String]", "Further attributes, on AIX."})}};

}  // namespace

const TypeSpec& group_type() {
    static const TypeSpec spec{"group",          "A group of users.",     "groupadd",
                               group_attributes, make_instance_of<Group>, groups_found};
    return spec;
}

}  // namespace volley::agent
