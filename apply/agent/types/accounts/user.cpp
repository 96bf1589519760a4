#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <set>

#include "apply/agent/machine/accounts.hpp"
#include "apply/agent/machine/files.hpp"
#include "apply/agent/types/accounts/account_numbers.hpp"
#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tables/authorized_keys.hpp"
#include "apply/agent/types/tool.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

/// A line of /etc/shadow.
struct Shadow {
    std::string password, shortest, longest, warning, expiry;
};

std::optional<Shadow> shadow_of(const std::string& name) {
    if (!file_exists("/etc/shadow") || ::access("/etc/shadow", R_OK) != 0) return std::nullopt;
    for (const std::string& line : split(read_whole("/etc/shadow", 256U << 20U), '\n')) {
        auto parts =
            split(std::string_view(line).substr(std::min(line.find_first_not_of(" \t"), line.size())), ':');
        // As the C library reads it: a line has all its fields, or those of the old form.
        if (parts[0] != name || (parts.size() != 9 && parts.size() != 5)) continue;
        parts.resize(9);
        return Shadow{parts[1], parts[3], parts[4], parts[5], parts[7]};
    }
    return std::nullopt;
}

/// "2030-12-31" of a number of days since 1970.
std::string day_text(std::int64_t days) {
    const std::time_t seconds = days * 86400;
    tm parts{};
    ::gmtime_r(&seconds, &parts);
    std::array<char, 32> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d", &parts)};
}

Value days_value(const std::string& field) {
    const auto number = decimal(field);
    return number_value(number ? static_cast<std::int64_t>(*number) : -1);
}

bool is_day(const std::string& text) {
    static constexpr std::string_view form = "dddd-dd-dd";
    if (text.size() != form.size()) return false;
    for (std::size_t i = 0; i < form.size(); ++i) {
        if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != '-') return false;
    }
    return true;
}

struct Age {
    const char* name;
    const char* flag;
    const char* words;
    std::string Shadow::*field;
};
constexpr std::array<Age, 3> ages = {
    {{"password_min_age", "-m", "Password minimum age", &Shadow::shortest},
     {"password_max_age", "-M", "Password maximum age", &Shadow::longest},
     {"password_warn_days", "-W", "Password warning days", &Shadow::warning}}};

/// A user of /etc/passwd, by the tools of shadow.
class User final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    std::string_view provider() const override { return "useradd"; }
    bool suitable() override { return has_tool("useradd"); }
    Current retrieve() override;
    std::vector<Wanted> wanted() override;
    bool in_sync(Wanted& wanted, const Value& current) override;
    bool is_unchanged(const Wanted& wanted, const Value& before, const Value& current) override;
    void sync(Wanted& wanted, const Value& current) override;
    std::string change_text(const Wanted& wanted, const Value& current) override;
    std::string shown_current(const Wanted& wanted, const Value& value) override;
    std::vector<Autorelation> autorelations() override;
    std::vector<std::unique_ptr<Resource>> generate() override;

private:
    void create();
    void check_shell() const;
    void set(const std::string& name, Command command);
    void set_password();
    std::vector<std::string> current_groups() const;
    std::string wanted_groups() const;
    std::string home() const;
    void check_key_files() const;
    bool has_secret() const;
    std::string text_of(const char* name) const { return resource_.text(name); }

    std::string name_;
    Value ensure_;
    std::optional<Value> uid_, gid_;
    bool manages_groups_ = false, inclusive_ = false;
    std::vector<std::string> groups_;
    bool allow_duplicate_ = false, manage_home_ = false, system_ = false;
};

void User::prepare() {
    name_ = resource_.text("name", resource_.title);
    if (word_parameter(resource_, "ensure", "present, absent, role") == "role")
        throw parameter_error(
            resource_, "ensure",
            "Provider useradd must have features 'manages_solaris_rbac' to set 'ensure' to 'role'");
    ensure_ = present_or_absent(resource_);
    leave_unmanaged(run_, resource_, provider(), "manages_local_users_and_groups", "forcelocal");
    leave_unmanaged(run_, resource_, provider(), "manages_loginclass", "loginclass");
    for (const char* name : {"salt", "iterations"})
        leave_unmanaged(run_, resource_, provider(), "manages_password_salt", name);
    for (const char* name : {"ia_load_module", "attributes"})
        leave_unmanaged(run_, resource_, provider(), "manages_aix_lam", name);
    leave_unmanaged(run_, resource_, provider(), "manages_roles", "roles");
    for (const char* name : {"auths", "profiles", "keys", "project"})
        leave_unmanaged(run_, resource_, provider(), "manages_solaris_rbac", name);
    if (const Value* uid = resource_.find("uid")) uid_ = number_if_digits(*uid);
    if (const Value* gid = resource_.find("gid")) {
        if (gid->is(Value::Kind::Boolean) || gid->is(Value::Kind::Hash))
            throw parameter_error(resource_, "gid", not_a_text(*gid));
        gid_ = number_if_digits(*gid);
    }
    if (resource_.find("groups") != nullptr) {
        manages_groups_ = true;
        const Value& given = *resource_.find("groups");
        for (const Value& one : given.is(Value::Kind::Array) ? given.items() : Value::Items{given}) {
            if (!one.is_text() && !one.is(Value::Kind::Integer))
                throw parameter_error(resource_, "groups", not_a_text(one));
        }
        groups_ = resource_.texts("groups");
    }
    for (const std::string& group : groups_) {
        if (group.empty())
            throw parameter_error(
                resource_, "groups",
                "Group names must not be empty. If you want to specify \"no groups\" pass an empty array");
        if (decimal(group))
            throw parameter_error(resource_, "groups", "Group names must be provided, not GID numbers.");
        if (group.find(',') != std::string::npos)
            throw parameter_error(resource_, "groups",
                                  "Group names must be provided as an array, not a comma-separated list.");
    }
    inclusive_ = word_parameter(resource_, "membership", "inclusive, minimum") == "inclusive";
    if (text_of("password").find(':') != std::string::npos)
        throw parameter_error(resource_, "password", "Passwords cannot include ':'");
    for (const Age& age : ages) {
        const std::string value = text_of(age.name);
        const std::string digits = value.starts_with('-') ? value.substr(1) : value;
        if (!value.empty() && !decimal(digits))
            throw parameter_error(resource_, age.name,
                                  std::string(age.words) + " must be provided as a number.");
    }
    const std::string expiry = text_of("expiry");
    if (resource_.find("expiry") != nullptr && expiry != "absent" && !is_day(expiry))
        throw parameter_error(resource_, "expiry",
                              "Expiry dates must be YYYY-MM-DD or the string \"absent\"");
    allow_duplicate_ = boolean_parameter(resource_, "allowdupe", false);
    manage_home_ = converted_boolean(resource_, "managehome", false);
    check_key_files();
    system_ = boolean_parameter(resource_, "system", false);
    if (const Value* password = resource_.find("password")) {
        resource_.sensitive.insert("password");
        run_.secrets.add(*password);
    }
}

std::vector<std::string> User::current_groups() const {
    std::vector<std::string> names;
    for (const GroupEntry& group : further_groups_of(name_)) {
        if (std::find(names.begin(), names.end(), group.name) == names.end()) names.push_back(group.name);
    }
    return names;
}

std::string User::wanted_groups() const {
    std::set<std::string> names(groups_.begin(), groups_.end());
    if (!inclusive_) {
        for (const std::string& name : current_groups()) names.insert(name);
    }
    return join(std::vector<std::string>(names.begin(), names.end()), ",");
}

Current User::retrieve() {
    const auto user = user_named(name_);
    const auto shadow = user ? shadow_of(name_) : std::nullopt;
    Current current;
    current.set("ensure", user ? present() : absent());
    const auto set = [&](const char* name, const auto& read) {
        if (reads(name)) current.set(name, user ? Value(read()) : absent());
    };
    set("home", [&] { return text_value(user->home); });
    set("uid", [&] { return number_value(user->uid); });
    set("gid", [&] { return number_value(user->gid); });
    set("comment", [&] { return text_value(user->comment); });
    set("shell", [&] { return text_value(user->shell); });
    set("password", [&] { return shadow ? text_value(shadow->password) : absent(); });
    for (const Age& age : ages)
        set(age.name, [&] { return shadow ? days_value((*shadow).*age.field) : absent(); });
    set("groups", [&] {
        Value::Items items;
        for (const std::string& group : current_groups()) items.emplace_back(group);
        return Value(std::move(items));
    });
    set("expiry", [&] {
        const auto days = shadow ? decimal(shadow->expiry) : std::nullopt;
        return days ? text_value(day_text(*days)) : absent();
    });
    return current;
}

std::vector<Wanted> User::wanted() {
    std::vector<Wanted> list;
    if (!ensure_.is_undef()) list.push_back(want("ensure", ensure_));
    const auto add = [&](const char* name, Value value) {
        list.push_back(want(name, std::move(value), is_sensitive(name)));
    };
    const auto add_text = [&](const char* name) {
        if (const Value* value = resource_.find(name)) add(name, *value);
    };
    add_text("home");
    if (uid_) add("uid", *uid_);
    if (gid_) add("gid", *gid_);
    for (const char* name : {"comment", "shell", "password"}) add_text(name);
    for (const Age& age : ages) {
        if (const Value* value = resource_.find(age.name))
            add(age.name, number_value(std::stoll(value->to_text())));
    }
    if (manages_groups_) add("groups", Value(wanted_groups()));
    if (const Value* value = resource_.find("expiry"))
        add("expiry", value->to_text() == "absent" ? absent() : *value);
    return list;
}

bool User::in_sync(Wanted& wanted, const Value& current) {
    if (wanted.name == "gid") {
        const auto gid = group_number(wanted.value);
        return gid && current == number_value(*gid);
    }
    if (wanted.name != "groups") return Instance::in_sync(wanted, current);
    std::vector<std::string> names = words_of(current, ',');
    std::sort(names.begin(), names.end());
    return join(names, ",") == wanted.value.to_text();
}

bool User::is_unchanged(const Wanted& wanted, const Value& before, const Value& current) {
    Wanted earlier = wanted;
    earlier.value = before;
    if (wanted.name == "groups") {
        auto names = words_of(before, ',');
        if (!inclusive_) {
            for (std::string& name : words_of(current, ',')) names.push_back(std::move(name));
        }
        const std::set<std::string> sorted(names.begin(), names.end());
        earlier.value = Value(join(std::vector<std::string>(sorted.begin(), sorted.end()), ","));
    }
    return in_sync(earlier, current);
}

std::string User::shown_current(const Wanted& wanted, const Value& value) {
    // Compatibility: of a list of groups only the names are shown.
    if (wanted.name != "groups" || !value.is(Value::Kind::Array)) return value.shown();
    return join(words_of(value, ','), ",");
}

std::string User::change_text(const Wanted& wanted, const Value& current) {
    if (wanted.name != "groups") return Instance::change_text(wanted, current);
    Value::Items names;
    for (const std::string& name : words_of(wanted.value, ',')) names.emplace_back(name);
    Wanted list = wanted;
    list.value = Value(std::move(names));
    if (current == absent()) return "defined 'groups' as " + list.value.shown();
    return "groups changed " + shown_current(wanted, current) + " to " + list.value.shown();
}

bool User::has_secret() const { return !resource_.sensitive.empty(); }

void User::check_shell() const {
    const std::string shell = text_of("shell");
    if (!file_exists(shell)) throw ApplyError("Shell " + shell + " must exist");
    if (::access(shell.c_str(), X_OK) != 0) throw ApplyError("Shell " + shell + " must be executable");
}

void User::set(const std::string& name, Command command) {
    command.argv.push_back(name_);
    try {
        run_tool(run_, std::move(command), is_sensitive(name));
    } catch (const ApplyError& error) {
        throw ApplyError("Could not set " + name + " on user[" + name_ + "]: " + error.what());
    }
}

void User::set_password() {
    Command command({"chpasswd", "-e"});
    command.input = name_ + ":" + text_of("password") + "\n";
    const Finished done = try_tool(run_, command, true);
    if (!done.output.empty() || done.exit_code != 0) throw ApplyError("chpasswd said " + done.output);
}

void User::create() {
    if (resource_.find("shell") != nullptr) check_shell();
    Command add(std::vector<std::string>{"useradd"});
    if (!gid_ && group_named(name_)) add.argv.insert(add.argv.end(), {"-g", name_});
    const auto option = [&](const char* flag, const std::string& value) {
        if (!value.empty()) add.argv.insert(add.argv.end(), {flag, value});
    };
    option("-c", text_of("comment"));
    if (text_of("expiry") == "absent")
        add.argv.insert(add.argv.end(), {"-e", ""});
    else
        option("-e", text_of("expiry"));
    if (gid_) option("-g", gid_->to_text());
    if (manages_groups_) option("-G", wanted_groups());
    option("-d", text_of("home"));
    option("-s", text_of("shell"));
    if (uid_) option("-u", uid_->to_text());
    if (allow_duplicate_) add.argv.emplace_back("-o");
    add.argv.emplace_back(manage_home_ ? "-m" : "-M");
    if (system_) add.argv.emplace_back("-r");
    add.argv.push_back(name_);
    Command change(std::vector<std::string>{"chage"});
    for (const Age& age : ages) {
        if (const std::string value = text_of(age.name); !value.empty())
            change.argv.insert(change.argv.end(), {age.flag, value});
    }
    try {
        run_tool(run_, std::move(add), has_secret());
        if (change.argv.size() > 1) {
            change.argv.push_back(name_);
            run_tool(run_, std::move(change), has_secret());
        }
    } catch (const ApplyError& error) {
        throw ApplyError("Could not create user " + name_ + ": " + error.what());
    }
    if (resource_.find("password") != nullptr) set_password();
}

void User::sync(Wanted& wanted, const Value&) {
    const std::string value = wanted.value.to_text();
    const auto modify = [&](const char* flag, const std::string& argument) {
        Command command({"usermod", flag, argument});
        if (wanted.name == "uid" && allow_duplicate_) command.argv.emplace_back("-o");
        set(wanted.name, std::move(command));
    };
    if (wanted.name == "ensure") {
        if (ensure_ == present()) return create();
        Command remove(std::vector<std::string>{"userdel"});
        if (manage_home_) remove.argv.emplace_back("-r");
        remove.argv.push_back(name_);
        try {
            run_tool(run_, std::move(remove));
        } catch (const ApplyError& error) {
            throw ApplyError("Could not delete user " + name_ + ": " + error.what());
        }
    } else if (wanted.name == "gid") {
        const auto gid = group_number(wanted.value);
        if (!gid) throw ApplyError("Could not find group(s) " + value);
        modify("-g", std::to_string(*gid));
    } else if (wanted.name == "password") {
        set_password();
    } else if (wanted.name == "shell") {
        check_shell();
        modify("-s", value);
    } else if (wanted.name == "expiry") {
        modify("-e", wanted.value == absent() ? "" : value);
    } else if (wanted.name == "groups") {
        modify("-G", value);
    } else if (wanted.name == "comment" || wanted.name == "uid") {
        modify(wanted.name == "uid" ? "-u" : "-c", value);
    } else if (wanted.name == "home") {
        modify("-d", value);
    } else {
        for (const Age& age : ages) {
            if (wanted.name == age.name) set(wanted.name, Command({"chage", age.flag, value}));
        }
    }
}

std::vector<Autorelation> User::autorelations() {
    std::vector<Autorelation> list;
    const auto require_group = [&](const std::string& name) {
        list.push_back({Autorelation::Kind::Require, "Group", name});
    };
    if (gid_ && gid_->is(Value::Kind::Integer)) {
        for (const auto& resource : run_.catalog.resources()) {
            if (resource->type == "Group" && resource->text("gid") == gid_->to_text()) {
                require_group(resource->title);
                break;
            }
        }
    } else if (gid_) {
        require_group(gid_->to_text());
    }
    for (const std::string& group : groups_) require_group(group);
    return list;
}

std::string User::home() const {
    if (std::string given = text_of("home"); !given.empty()) return given;
    const auto user = user_named(name_);
    return user ? user->home : std::string();
}

void User::check_key_files() const {
    const Value* given = resource_.find("purge_ssh_keys");
    if (given == nullptr || given->to_text() == "true" || given->to_text() == "false") return;
    const auto failed = [this](const std::string& why) {
        return parameter_error(resource_, "purge_ssh_keys", why);
    };
    if (!given->is_text() && !given->is(Value::Kind::Array))
        throw failed("purge_ssh_keys must be true, false, or an array of file names, not " +
                     given->inspected());
    for (const Value& file : given->is(Value::Kind::Array) ? given->items() : Value::Items{*given}) {
        if (!file.is_text())
            throw failed("Each entry for purge_ssh_keys must be a string, not a " +
                         std::string(ruby_class(file)));
        const std::string& name = file.text();
        if (!name.starts_with('/') && !name.starts_with("~/") && !name.starts_with("%h/"))
            throw failed("Paths to keyfiles must be absolute, not " + name);
    }
}

/// Keys that are not in the catalog are to go.
std::vector<std::unique_ptr<Resource>> User::generate() {
    std::vector<std::string> files = resource_.texts("purge_ssh_keys");
    if (files.empty() || files == std::vector<std::string>{"false"}) return {};
    if (files == std::vector<std::string>{"true"}) files = {"%h/.ssh/authorized_keys"};
    std::vector<std::unique_ptr<Resource>> made;
    for (std::string& file : files) {
        if (file.starts_with("%h/") || file.starts_with("~/")) {
            if (home().empty()) continue;
            file = home() + file.substr(file.find('/'));
        }
        if (::access(file.c_str(), R_OK) != 0) continue;
        for (auto& key : keys_found_in(file)) {
            if (run_.catalog.find(key->type, key->title) != nullptr) continue;
            key->set("ensure", text_value("absent"));
            key->set("user", Value(name_));
            key->noop = resource_.noop;
            key->loglevel = resource_.loglevel;
            key->schedule = resource_.schedule;
            made.push_back(std::move(key));
        }
    }
    return made;
}

std::vector<std::unique_ptr<Resource>> users_found(Run&) {
    std::vector<std::unique_ptr<Resource>> found;
    for (const UserEntry& user : all_users()) found.push_back(found_resource("user", user.name));
    return found;
}

constexpr std::array<Attribute, 34> user_attributes = {
    {{"name", Kind::Namevar, "String", "The login name."},
     {"ensure", Kind::Property, "Enum[present, absent]", "Whether it should exist."},
     {"home", Kind::Property, "String", "The home folder."},
     {"uid", Kind::Property, "Variant[Integer, String]", "The number."},
     {"gid", Kind::Property, "Variant[Integer, String]", "The primary group, by number or name."},
     {"comment", Kind::Property, "String", "Who that is."},
     {"shell", Kind::Property, "String", "The login shell; it must exist."},
     {"password", Kind::Property, "String", "The hash of the password.", true},
     {"password_min_age", Kind::Property, "Integer", "Days before it may be changed."},
     {"password_max_age", Kind::Property, "Integer", "Days before it must be changed."},
     {"password_warn_days", Kind::Property, "Integer", "Days of warning before that."},
     {"groups", Kind::Property, "Variant[String, Array[String]]", "Further groups."},
     {"expiry", Kind::Property, "Variant[String, Enum[absent]]",
      "The day on which the account ends: YYYY-MM-DD, or absent."},
     {"membership", Kind::Parameter, "Enum[inclusive, minimum]",
      "Whether groups is the whole list (inclusive) or its least (minimum)."},
     {"system", Kind::Parameter, "Boolean", "Whether it is one of the system's (false)."},
     {"allowdupe", Kind::Parameter, "Boolean", "Whether the number may be taken already (false)."},
     {"managehome", Kind::Parameter, "Boolean",
      "Whether the home folder comes and goes with the user (false)."},
     {"purge_ssh_keys", Kind::Parameter, "Variant[Boolean, String, Array[String]]",
      "Whether authorized keys that nobody manages are removed (false), or from which files."},
     {"forcelocal", Kind::Parameter, "Boolean", "Left alone: it needs libuser."},
     unsupported({"loginclass", Kind::Property, "String", "The login class, on BSD."}),
     unsupported({"salt", Kind::Property, "String", "The password's salt, on macOS."}),
     unsupported({"iterations", Kind::Property, "Integer", "How often the password is hashed, on macOS."}),
     {"ia_load_module", Kind::Parameter, "String", "The I&A module, on AIX."},
     unsupported(
         {"attributes", Kind::Property, "Variant[Hash, Array, String]", "Further attributes, on AIX."}),
     {"attribute_membership", Kind::Parameter, "Enum[inclusive, minimum]", "As membership, for attributes."},
     unsupported({"roles", Kind::Property, "Array[String]", "Roles, on Solaris."}),
     {"role_membership", Kind::Parameter, "Enum[inclusive, minimum]", "As membership, for roles."},
     unsupported({"auths", Kind::Property, "Array[String]", "Authorizations, on Solaris."}),
     {"auth_membership", Kind::Parameter, "Enum[inclusive, minimum]", "As membership, for authorizations."},
     unsupported({"profiles", Kind::Property, "Array[String]", "Profiles, on Solaris."}),
     {"profile_membership", Kind::Parameter, "Enum[inclusive, minimum]", "As membership, for profiles."},
     unsupported({"keys", Kind::Property, "Variant[String, Array, Hash]", "Further attributes, on Solaris."}),
     {"key_membership", Kind::Parameter, "Enum[inclusive, minimum]", "As membership, for keys."},
     unsupported({"project", Kind::Property, "String", "The project, on Solaris."})}};

}  // namespace

const TypeSpec& user_type() {
    static const TypeSpec spec{"user",          "A user of the machine.", "useradd",
                               user_attributes, make_instance_of<User>,   users_found};
    return spec;
}

}  // namespace volley::agent
