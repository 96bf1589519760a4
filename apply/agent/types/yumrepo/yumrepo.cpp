#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstdio>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/machine/os_release.hpp"
#include "apply/agent/text/pattern.hpp"
#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tables/table_text.hpp"
#include "apply/agent/types/tool.hpp"
#include "apply/agent/types/yumrepo/repo_files.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

/// What a setting may be.
enum class Check : std::uint8_t { Anything, YesOrNo, Url, Urls, Proxy, Pattern };

struct Setting {
    std::string_view name;
    Check check = Check::Anything;
    std::string_view pattern = {};
};

/// In the order in which a new repository has them.
constexpr std::array<Setting, 42> repo_settings = {{
    {"descr"},
    {"mirrorlist", Check::Url},
    {"baseurl", Check::Urls},
    {"enabled", Check::YesOrNo},
    {"gpgcheck", Check::YesOrNo},
    {"payload_gpgcheck", Check::YesOrNo},
    {"repo_gpgcheck", Check::YesOrNo},
    {"gpgkey", Check::Urls},
    {"mirrorlist_expire", Check::Pattern, "^[0-9]+$"},
    {"include", Check::Url},
    {"exclude"},
    {"gpgcakey", Check::Url},
    {"includepkgs"},
    {"enablegroups", Check::YesOrNo},
    {"module_hotfixes", Check::YesOrNo},
    {"failovermethod", Check::Pattern, "^roundrobin|priority$"},
    {"keepalive", Check::YesOrNo},
    {"retries", Check::Pattern, "^[0-9]+$"},
    {"http_caching", Check::Pattern, "^(packages|all|none)$"},
    {"timeout", Check::Pattern, R"(^\d+$)"},
    {"metadata_expire", Check::Pattern, "^([0-9]+[dhm]?|never)$"},
    {"protect", Check::YesOrNo},
    {"priority", Check::Pattern, R"(^-?\d+$)"},
    {"minrate", Check::Pattern, R"(^\d+$)"},
    {"throttle", Check::Pattern, R"(^\d+[kMG%]?$)"},
    {"bandwidth", Check::Pattern, R"(^\d+[kMG]?$)"},
    {"cost", Check::Pattern, R"(^\d+$)"},
    {"proxy", Check::Proxy},
    {"proxy_username"},
    {"proxy_password"},
    {"s3_enabled", Check::YesOrNo},
    {"sslcacert"},
    {"sslverify", Check::YesOrNo},
    {"sslclientcert"},
    {"sslclientkey"},
    {"metalink", Check::Url},
    {"skip_if_unavailable", Check::YesOrNo},
    {"assumeyes", Check::YesOrNo},
    {"deltarpm_percentage", Check::Pattern, R"(^\d+$)"},
    {"deltarpm_metadata_percentage", Check::Pattern, R"(^\d+$)"},
    {"username"},
    {"password"},
}};

constexpr std::string_view yes_or_no = "^(true|false|0|1|no|yes)$";
/// From this release on dnf takes an empty proxy for none at all.
constexpr int empty_proxy_release = 8;

std::string key_of(std::string_view setting) { return setting == "descr" ? "name" : std::string(setting); }

bool is_url(std::string_view text) {
    static const Pattern url(R"(\A(file|http|https|ftp):[^\s<>"{}|\\^`]*\z)");
    return url.matches(text);
}

/// A repository of yum and dnf, of yumrepo_core.
class YumRepo final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    std::string_view provider() const override { return "inifile"; }
    Current retrieve() override;
    std::vector<Wanted> wanted() override;
    void sync(Wanted& wanted, const Value& current) override;
    void flush() override;

private:
    void check(const Setting& setting, const Value& value) const;
    Value converted(const Setting& setting, const Value& value) const;
    void set(RepoFile::Section& section, std::string_view setting, const Value& value);

    std::string name_, target_;  // no target: wherever it is
    Value ensure_;
    std::vector<std::pair<std::string_view, Value>> values_;
    std::optional<RepoFiles> files_;
};

void YumRepo::check(const Setting& setting, const Value& value) const {
    const std::string name(setting.name), text = value.to_text();
    if (text == "absent") return;
    const std::string_view pattern = setting.check == Check::YesOrNo ? yes_or_no : setting.pattern;
    if (!pattern.empty() && !Pattern(pattern).matches(text))
        throw parameter_error(resource_, name,
                              invalid_value(value, "absent", "/" + std::string(pattern) + "/"));
    const auto check_url = [&](std::string_view url) {
        if (!is_url(url))
            throw parameter_error(resource_, name,
                                  "Validate method failed for class " + name + ": Must be a valid URL");
    };
    if (setting.check == Check::Url) check_url(text);
    if (setting.check == Check::Urls) {
        for (const std::string& url : blank_words(text)) check_url(url);
    }
    if (setting.check != Check::Proxy || text == "_none_") return;
    if (!text.empty() || os_release().major < empty_proxy_release) check_url(text);
}

Value YumRepo::converted(const Setting& setting, const Value& value) const {
    std::string text = value.to_text();
    if (text == "absent") return absent();
    if (setting.check == Check::Proxy && text == "_none_" && os_release().major >= empty_proxy_release)
        return Value(std::string());
    if (setting.check == Check::YesOrNo) {
        text = lower(text);
        if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
    }
    return Value(std::move(text));
}

void YumRepo::prepare() {
    name_ = resource_.text("name", resource_.title);
    target_ = resource_.text("target", "absent");
    if (target_ == "absent") target_.clear();
    for (const char* secret : {"password", "proxy_password"}) {
        const Value* value = resource_.find(secret);
        if (value == nullptr) continue;
        resource_.sensitive.insert(secret);
        run_.secrets.add(*value);
    }
    for (const Setting& setting : repo_settings) {
        const Value* value = resource_.find(setting.name);
        if (value == nullptr || value->is_undef()) continue;
        check(setting, *value);
        values_.emplace_back(setting.name, converted(setting, *value));
    }
    ensure_ = present_or_absent(resource_);
}

Current YumRepo::retrieve() {
    files_.emplace();
    const auto [file, section] = files_->find(name_);
    const bool there = file != nullptr && name_ != "main" &&
                       (target_.empty() || file->path() == files_->place_of(name_, target_));
    Current current;
    current.set("ensure", there ? present() : absent());
    for (const auto& [name, wanted] : values_) {
        const std::string* value = there ? section->find(key_of(name)) : nullptr;
        current.set(name, value != nullptr ? Value(*value) : absent());
    }
    return current;
}

std::vector<Wanted> YumRepo::wanted() {
    std::vector<Wanted> list;
    if (!ensure_.is_undef()) list.push_back(want("ensure", ensure_));
    for (const auto& [name, value] : values_) list.push_back(want(name, value, is_sensitive(name)));
    return list;
}

void YumRepo::set(RepoFile::Section& section, std::string_view setting, const Value& value) {
    section.set(key_of(setting), value == absent() ? std::nullopt : std::optional(value.to_text()));
}

void YumRepo::sync(Wanted& wanted, const Value&) {
    if (wanted.name == "ensure" && ensure_ == absent()) {
        files_->remove(name_);
        return;
    }
    const auto [file, section] = files_->find(name_);
    const std::string path =
        file != nullptr && target_.empty() ? file->path() : files_->place_of(name_, target_);
    RepoFile::Section& own = files_->put(name_, path);
    if (wanted.name != "ensure") {
        set(own, wanted.name, wanted.value);
        return;
    }
    for (const auto& [name, value] : values_) set(own, name, value);
}

/// Compatibility: every file with repositories can be read by everybody after it, also one with a password.
void YumRepo::flush() {
    files_->save();
    for (const std::string& path : files_->paths()) {
        const auto stat = file_stat(path, true);
        if (!stat || (stat->mode & 0777U) == 0644U) continue;
        std::array<char, 8> mode{};
        std::snprintf(mode.data(), mode.size(), "%03o", stat->mode & 0777U);
        run_.log_by_provider(Level::Info, resource_,
                             "changing mode of " + path + " from " + mode.data() + " to 644");
        if (::chmod(path.c_str(), 0644) != 0) throw SystemError(errno, path);
    }
}

constexpr std::array<Attribute, 45> yumrepo_attributes = {
    {{"name", Kind::Namevar, "String", "Its short name, without blanks."},
     {"ensure", Kind::Property, "Enum[present, absent]", "Whether it should exist."},
     {"target", Kind::Parameter, "String", "The file that holds it."},
     {"descr", Kind::Property, "String", "What people read."},
     {"mirrorlist", Kind::Property, "String", "The URL of a list of mirrors."},
     {"baseurl", Kind::Property, "String", "The URL of the packages."},
     {"enabled", Kind::Property, "Variant[Boolean, Integer, String]", "Whether it is used."},
     {"gpgcheck", Kind::Property, "Variant[Boolean, Integer, String]",
      "Whether signatures of packages are checked."},
     {"payload_gpgcheck", Kind::Property, "Variant[Boolean, Integer, String]",
      "Whether signatures of the packages' content are checked."},
     {"repo_gpgcheck", Kind::Property, "Variant[Boolean, Integer, String]",
      "Whether the signature of the index is checked."},
     {"gpgkey", Kind::Property, "String", "URLs of keys."},
     {"mirrorlist_expire", Kind::Property, "Variant[Integer, String]",
      "Seconds until the list of mirrors is read anew."},
     {"include", Kind::Property, "String", "A file with more settings."},
     {"exclude", Kind::Property, "String", "Packages that are never taken from it."},
     {"gpgcakey", Kind::Property, "String", "The URL of the authority's key."},
     {"includepkgs", Kind::Property, "String", "The only packages that are taken from it."},
     {"enablegroups", Kind::Property, "Variant[Boolean, Integer, String]",
      "Whether groups of packages are used."},
     {"module_hotfixes", Kind::Property, "Variant[Boolean, Integer, String]",
      "Whether its packages win over modules."},
     {"failovermethod", Kind::Property, "String", "In which order URLs are tried: roundrobin or priority."},
     {"keepalive", Kind::Property, "Variant[Boolean, Integer, String]", "Whether connections stay open."},
     {"retries", Kind::Property, "Variant[Integer, String]", "How often a file is tried; 0: for ever."},
     {"http_caching", Kind::Property, "String", "What proxies may keep: packages, all, none."},
     {"timeout", Kind::Property, "Variant[Integer, String]", "Seconds to wait for an answer."},
     {"metadata_expire", Kind::Property, "String", "How long the index is good: 90, 6h, 2d, never."},
     {"protect", Kind::Property, "Variant[Boolean, Integer, String]",
      "Whether other repositories cannot replace its packages."},
     {"priority", Kind::Property, "Variant[Integer, String]", "Its rank; the lowest wins."},
     {"minrate", Kind::Property, "Variant[Integer, String]",
      "Bytes a second below which a download is given up."},
     {"throttle", Kind::Property, "Variant[Integer, String]",
      "The most bytes a second, or a percentage of bandwidth."},
     {"bandwidth", Kind::Property, "Variant[Integer, String]", "Bytes a second that the network has."},
     {"cost", Kind::Property, "Variant[Integer, String]", "What taking from it costs; the cheapest wins."},
     {"proxy", Kind::Property, "String", "The URL of a proxy, or _none_."},
     {"proxy_username", Kind::Property, "String", "The user at the proxy."},
     {"proxy_password", Kind::Property, "String", "The password at the proxy."},
     {"s3_enabled", Kind::Property, "Variant[Boolean, Integer, String]", "Whether it is in Amazon S3."},
     {"sslcacert", Kind::Property, "String", "The file of the authority's certificate."},
     {"sslverify", Kind::Property, "Variant[Boolean, Integer, String]",
      "Whether the server's certificate is checked."},
     {"sslclientcert", Kind::Property, "String", "The file of the client's certificate."},
     {"sslclientkey", Kind::Property, "String", "The file of the client's key."},
     {"metalink", Kind::Property, "String", "The URL of a metalink file."},
     {"skip_if_unavailable", Kind::Property, "Variant[Boolean, Integer, String]",
      "Whether a repository that is gone is skipped."},
     {"assumeyes", Kind::Property, "Variant[Boolean, Integer, String]",
      "Whether questions are answered with yes."},
     {"deltarpm_percentage", Kind::Property, "Variant[Integer, String]",
      "Up to which size, in percent, differences are fetched."},
     {"deltarpm_metadata_percentage", Kind::Property, "Variant[Integer, String]",
      "The same for their index."},
     {"username", Kind::Property, "String", "The user at the server."},
     {"password", Kind::Property, "String", "The password at the server."}}};

}  // namespace

const TypeSpec& yumrepo_type() {
    static const TypeSpec spec{"yumrepo", "A repository of yum and dnf.", "inifile", yumrepo_attributes,
                               make_instance_of<YumRepo>};
    return spec;
}

}  // namespace volley::agent
