#include "apply/agent/types/tables/authorized_keys.hpp"

#include <fcntl.h>
#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>

#include "apply/agent/machine/accounts.hpp"
#include "apply/agent/machine/files.hpp"
#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tables/edited_table.hpp"
#include "apply/agent/types/tables/table_text.hpp"
#include "apply/agent/types/tool.hpp"
#include "support/text.hpp"
#include "support/unique_fd.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

constexpr std::array<std::string_view, 14> key_types = {"ssh-dss",
                                                        "ssh-rsa",
                                                        "ecdsa-sha2-nistp256",
                                                        "ecdsa-sha2-nistp384",
                                                        "ecdsa-sha2-nistp521",
                                                        "ssh-ed25519",
                                                        "sk-ecdsa-sha2-nistp256@openssh.com",
                                                        "sk-ssh-ed25519@openssh.com",
                                                        "ssh-rsa-cert-v01@openssh.com",
                                                        "ssh-ed25519-cert-v01@openssh.com",
                                                        "ssh-dss-cert-v01@openssh.com",
                                                        "ecdsa-sha2-nistp256-cert-v01@openssh.com",
                                                        "ecdsa-sha2-nistp384-cert-v01@openssh.com",
                                                        "ecdsa-sha2-nistp521-cert-v01@openssh.com"};
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> key_type_aliases = {
    {{"dsa", "ssh-dss"},
     {"rsa", "ssh-rsa"},
     {"ed25519", "ssh-ed25519"},
     {"ecdsa-sk", "sk-ecdsa-sha2-nistp256@openssh.com"},
     {"ed25519-sk", "sk-ssh-ed25519@openssh.com"}}};

bool is_key_type(std::string_view word) {
    return std::find(key_types.begin(), key_types.end(), word) != key_types.end();
}

/// The elements of an option list: words, and words with a value in quotes.
std::vector<std::string> key_options(std::string_view text) {
    std::vector<std::string> list;
    const auto is_word = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
    };
    std::size_t at = 0;
    while (at < text.size()) {
        while (at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == ',')) ++at;
        std::size_t end = at;
        while (end < text.size() && is_word(text[end])) ++end;
        if (end == at) break;
        if (text.substr(end, 2) == "=\"") {
            end += 2;
            while (end < text.size() && (text[end] != '"' || text[end - 1] == '\\')) ++end;
            if (end < text.size()) ++end;
        }
        list.emplace_back(text.substr(at, end - at));
        at = end;
    }
    return list;
}

/// A line of a file of authorized keys: a key, or something else that stays as it is.
struct KeyLine {
    std::string text;
    std::vector<std::string> options;
    std::string type, key, name;  // no type: no key
    bool is_key() const { return !type.empty(); }
    std::string line() const {
        if (!is_key()) return text;
        return (options.empty() ? "" : join(options, ",") + " ") + type + " " + key + " " + name;
    }
};

KeyLine key_line(const std::string& line) {
    KeyLine found;
    found.text = line;
    if (line.empty() || line.find_first_not_of(" \t") == std::string::npos ||
        line[line.find_first_not_of(" \t")] == '#')
        return found;
    const auto words = blank_words(line);
    // What stands before the last type that is followed by a key are options.
    for (std::size_t i = words.size(); i-- > 0;) {
        if (!is_key_type(words[i]) || i + 1 >= words.size()) continue;
        std::size_t at = line.size();
        for (std::size_t from = 0; from < line.size();) {
            at = line.find(words[i], from);
            if (at == std::string::npos || at + words[i].size() >= line.size()) return found;
            const bool whole = (at == 0 || is_blank(line[at - 1])) && is_blank(line[at + words[i].size()]);
            if (whole && blank_words(std::string_view(line).substr(0, at)).size() == i) break;
            from = at + 1;
        }
        found.options = key_options(std::string_view(line).substr(0, at));
        found.type = words[i];
        found.key = words[i + 1];
        const std::size_t after = line.find(found.key, at + found.type.size()) + found.key.size();
        found.name = std::string(line.substr(std::min(line.find_first_not_of(" \t", after), line.size())));
        return found;
    }
    return found;
}

/// While it lives, files are made and read as a user, so that nothing is written that the user could not
/// write.
class AsUser {
public:
    explicit AsUser(const UserEntry& user) : active_(::geteuid() == 0 && user.uid != 0) {
        if (!active_) return;
        before_.resize(static_cast<std::size_t>(std::max(::getgroups(0, nullptr), 0)));
        if (!before_.empty() && ::getgroups(static_cast<int>(before_.size()), before_.data()) < 0)
            throw SystemError(errno, "getgroups");
        std::vector<gid_t> groups{user.gid};
        for (const GroupEntry& group : further_groups_of(user.name)) groups.push_back(group.gid);
        if (::setgroups(groups.size(), groups.data()) != 0 || ::setegid(user.gid) != 0 ||
            ::seteuid(user.uid) != 0) {
            const int error = errno;
            restore();
            throw SystemError(error, user.name);
        }
    }
    ~AsUser() {
        if (active_) restore();
    }
    AsUser(const AsUser&) = delete;
    AsUser& operator=(const AsUser&) = delete;

private:
    /// Going on as somebody else by mistake would be worse than ending.
    void restore() {
        if (::seteuid(0) != 0 || ::setegid(0) != 0 || ::setgroups(before_.size(), before_.data()) != 0)
            ::_exit(70);
    }
    bool active_;
    std::vector<gid_t> before_;
};

/// A key that may log in as a user.
class AuthorizedKey final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    std::string_view provider() const override { return "parsed"; }
    Current retrieve() override;
    std::vector<Wanted> wanted() override;
    bool in_sync(Wanted& wanted, const Value& current) override;
    void sync(Wanted& wanted, const Value& current) override;
    void flush() override;
    std::string change_text(const Wanted& wanted, const Value& current) override;
    std::vector<Autorelation> autorelations() override {
        if (user_.empty()) return {};
        return {{Autorelation::Kind::Require, "User", user_}};
    }

private:
    std::string place_of_keys() const;
    void write() const;
    void write_as(const UserEntry& user) const;
    void give_group(gid_t group, uid_t owner) const;
    void check_trusted() const;
    void check_type(const Value& type) const;
    void read_options();
    std::optional<UserEntry> user() const;

    bool is_found_ = true;
    std::string name_, user_, type_, target_;
    Value ensure_;
    std::vector<std::string> options_;
    bool as_user_ = true;
    EditedTable<KeyLine> table_;
};

void AuthorizedKey::prepare() {
    name_ = whole_text(resource_, "name", resource_.title);
    // Compatibility: a name that is not a text is none of those in the file.
    is_found_ = resource_.find("name") == nullptr || resource_.find("name")->is(Value::Kind::String);
    user_ = resource_.text("user");
    ensure_ = present_or_absent(resource_);
    for (const Value& one : each_value(resource_, "type")) check_type(one);
    type_ = resource_.text("type");
    for (const auto& [alias, type] : key_type_aliases) {
        if (type_ == alias) type_ = type;
    }
    for (const Value& one : each_value(resource_, "key")) {
        const std::string key = matched_text(one);
        if (std::any_of(key.begin(), key.end(), is_blank))
            throw parameter_error(resource_, "key", "Key must not contain whitespace: " + key);
    }
    read_options();
    as_user_ = boolean_parameter(resource_, "drop_privileges", true);
    const bool has_target = resource_.find("target") != nullptr && resource_.text("target") != "absent";
    if (!has_target && user_.empty())
        throw ApplyError("Validation of " + resource_.reference() +
                         " failed: Attribute 'user' or 'target' is mandatory");
}

void AuthorizedKey::check_type(const Value& type) const {
    const std::string word = type.to_text();
    const bool is_alias = std::any_of(key_type_aliases.begin(), key_type_aliases.end(),
                                      [&](const auto& alias) { return alias.first == word; });
    if (!is_alias && !is_key_type(word))
        throw parameter_error(
            resource_, "type",
            invalid_value(type, join(std::vector<std::string>(key_types.begin(), key_types.end()), ", ")));
}

void AuthorizedKey::read_options() {
    for (const Value& one : each_value(resource_, "options")) {
        const std::string option = interpolated(one);
        const auto parsed = key_options(option);
        if (!one.is(Value::Kind::String) || parsed.size() != 1 || parsed[0] != option)
            throw parameter_error(resource_, "options",
                                  "Option " + option +
                                      " is not valid. A single option must either be of the form 'option' or "
                                      "'option=\"value\"'. "
                                      "Multiple options must be provided as an array");
        options_.push_back(option);
    }
}

/// Compatibility: a number in letters is that of a user as well.
std::optional<UserEntry> AuthorizedKey::user() const {
    const Value* given = resource_.find("user");
    if (given == nullptr) throw ApplyError("Cannot write SSH authorized keys without user");
    if (given->is(Value::Kind::Boolean) || given->is(Value::Kind::Hash))
        throw ApplyError("can't convert " + (given->is(Value::Kind::Hash) ? "Hash" : user_) +
                         " into Integer");
    if (const auto number = decimal(user_)) return user_with(*number);
    return user_named(user_);
}

std::string AuthorizedKey::place_of_keys() const {
    std::string target = resource_.text("target");
    if (!target.empty() && target != "absent") return target;
    const auto user = user_named(user_);
    return user ? user->home + "/.ssh/authorized_keys" : std::string();
}

Current AuthorizedKey::retrieve() {
    target_ = place_of_keys();
    table_.clear();
    std::size_t unnamed = 0;
    if (!target_.empty()) {
        table_.read(target_, key_line, [&](const KeyLine& line) {
            if (!line.is_key() || !is_found_) return false;
            if (resource_.generated && line.name.empty())
                return line.type == type_ && line.key == resource_.text("key");
            return name_ ==
                   (line.name.empty() ? target_ + ":unnamed-" + std::to_string(++unnamed) : line.name);
        });
    }
    const KeyLine* own = table_.own();
    Current current;
    current.set("ensure", own != nullptr ? present() : absent());
    current.set("type", own != nullptr ? Value::symbol(own->type) : absent());
    current.set("key", own != nullptr ? Value(own->key) : absent());
    if (reads("user")) current.set("user", own != nullptr ? Value(resource_.text("user")) : absent());
    if (reads("target")) current.set("target", own != nullptr ? Value(target_) : absent());
    Value::Items options;
    if (own != nullptr) {
        for (const std::string& option : own->options) options.emplace_back(option);
    }
    if (options.empty()) options.push_back(absent());
    current.set("options", own != nullptr ? Value(std::move(options)) : absent());
    return current;
}

std::vector<Wanted> AuthorizedKey::wanted() {
    std::vector<Wanted> list;
    if (!ensure_.is_undef()) list.push_back(want("ensure", ensure_));
    if (!type_.empty()) list.push_back(want("type", Value::symbol(type_)));
    if (const Value* key = resource_.find("key")) list.push_back(want("key", *key, is_sensitive("key")));
    Value::Items options;
    for (const std::string& option : options_) options.emplace_back(option);
    if (options.empty()) options.push_back(absent());
    list.push_back(want("options", Value(std::move(options)), is_sensitive("options")));
    return list;
}

bool AuthorizedKey::in_sync(Wanted& wanted, const Value& current) { return current == wanted.value; }

std::string AuthorizedKey::change_text(const Wanted& wanted, const Value& current) {
    if (wanted.name == "options" && options_.empty()) return "undefined 'options' from " + current.shown();
    return Instance::change_text(wanted, current);
}

void AuthorizedKey::sync(Wanted& wanted, const Value&) {
    const bool all = wanted.name == "ensure";
    if (all && ensure_ == absent()) {
        table_.remove_own();
        return;
    }
    if (table_.own() == nullptr) table_.make_own().name = name_;
    KeyLine& line = *table_.own();
    if (all || wanted.name == "type") line.type = type_;
    if (all || wanted.name == "key") line.key = resource_.text("key");
    if (all || wanted.name == "options") line.options = options_;
}

/// With the rights of root only where nobody else can put a link into the way.
void AuthorizedKey::check_trusted() const {
    const auto refuse = [] {
        throw ApplyError("drop_privileges is false but the target path is not trusted");
    };
    if (!is_directory(parent_of(target_))) refuse();
    for (std::string at = real_path(parent_of(target_)); at.size() > 1; at = parent_of(at)) {
        const auto stat = file_stat(at, true);
        if (!stat || stat->owner != ::geteuid() || (stat->mode & 0022U) != 0) refuse();
    }
}

void AuthorizedKey::write() const {
    replace_content(target_, table_.text(), 0600);
    if (::chmod(target_.c_str(), 0600) != 0) throw SystemError(errno, target_);
}

void AuthorizedKey::write_as(const UserEntry& user) const {
    const AsUser as(user);
    const std::string folder = parent_of(target_);
    if (!is_directory(folder) && ::mkdir(folder.c_str(), 0700) != 0) throw SystemError(errno, folder);
    // Compatibility: a file that is there is written by whoever may write it; who may write the folder could
    // put another in its place.
    const UniqueFd fd(::open(target_.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
    if (const int error = errno; !fd && error != ENOENT) {
        const std::string why = "Puppet::Util::FileType::FileTypeFlat could not write " + target_ + ": " +
                                error_words(error) + " - " + target_;
        run_.log(Level::Err, why);
        throw ApplyError(why);
    }
    write();
}

/// Compatibility: the file keeps its group, also one that the user is not in. Only if it is the user's still:
/// somebody may have put another one there.
void AuthorizedKey::give_group(gid_t group, uid_t owner) const {
    const UniqueFd fd(::open(target_.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat found {};
    if (!fd || ::fstat(fd.get(), &found) != 0 || found.st_gid == group) return;
    if (!S_ISREG(found.st_mode) || found.st_uid != owner || found.st_nlink != 1) return;
    if (::fchown(fd.get(), static_cast<uid_t>(-1), group) != 0 && ::geteuid() == 0)
        throw SystemError(errno, target_);
}

void AuthorizedKey::flush() {
    const auto user = this->user();
    if (!user) throw ApplyError("User '" + user_ + "' does not exist");
    if (target_.empty()) target_ = place_of_keys();
    if (const KeyLine* own = table_.own();
        own != nullptr && (own->type.empty() || (own->key.empty() && resource_.find("key") == nullptr)))
        throw ApplyError(std::string("Field '") + (own->type.empty() ? "type" : "key") + "' is required");
    if (as_user_) {
        const auto before = file_stat(target_, true);
        write_as(*user);
        if (before) give_group(before->group, user->uid);
        return;
    }
    check_trusted();
    write();
    // Compatibility: the group that has the name of the user, where there is one.
    const gid_t group = gid_of(user_).value_or(static_cast<gid_t>(-1));
    if (::lchown(target_.c_str(), user->uid, group) != 0) throw SystemError(errno, target_);
}

constexpr std::array<Attribute, 8> authorized_key_attributes = {
    {{"name", Kind::Namevar, "String", "The key's comment."},
     {"ensure", Kind::Property, "Enum[present, absent]", "Whether it should exist."},
     {"type", Kind::Property,
      "Enum[ssh-dss, ssh-rsa, ecdsa-sha2-nistp256, ecdsa-sha2-nistp384, ecdsa-sha2-nistp521, ssh-ed25519, "
      "'sk-ecdsa-sha2-nistp256@openssh.com', 'sk-ssh-ed25519@openssh.com', dsa, rsa, ed25519, ecdsa-sk, "
      "ed25519-sk]",
      "The kind of key."},
     {"key", Kind::Property, "String", "The key itself, without spaces."},
     {"user", Kind::Property, "String", "Whose it is."},
     {"target", Kind::Property, "String", "The file, when it is not ~/.ssh/authorized_keys."},
     {"options", Kind::Property, "Variant[String, Array[String]]", "Options in front of the key."},
     {"drop_privileges", Kind::Parameter, "Boolean", "Whether the file is written as the user (true)."}}};

}  // namespace

std::vector<std::unique_ptr<Resource>> keys_found_in(const std::string& file) {
    std::vector<std::unique_ptr<Resource>> found;
    std::size_t unnamed = 0;
    for (const std::string& line : table_file_lines(file)) {
        const KeyLine key = key_line(line);
        if (!key.is_key()) continue;
        const bool has_name = !key.name.empty();
        found.push_back(found_resource("ssh_authorized_key",
                                       has_name ? key.name : file + ":unnamed-" + std::to_string(++unnamed)));
        Resource& resource = *found.back();
        resource.generated = true;
        resource.set("target", Value(file));
        if (has_name) continue;
        // The numbers change when one of them goes.
        resource.set("type", Value(key.type));
        resource.set("key", Value(key.key));
    }
    return found;
}

const TypeSpec& ssh_authorized_key_type() {
    static const TypeSpec spec{"ssh_authorized_key", "A key that may log in as a user.", "parsed",
                               authorized_key_attributes, make_instance_of<AuthorizedKey>};
    return spec;
}

}  // namespace volley::agent
