#include "apply/agent/types/vcsrepo/vcsrepo.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "apply/agent/text/pattern.hpp"
#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tool.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

/// Of other systems than git.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> of_other_systems = {
    {{"fstype", "filesystem_types"},
     {"compression", "gzip_compression"},
     {"basic_auth_username", "basic_auth"},
     {"basic_auth_password", "basic_auth"},
     {"module", "modules"},
     {"configuration", "configuration"},
     {"cvs_rsh", "cvs_rsh"},
     {"p4config", "p4config"}}};

/// In one of its lines, as Ruby reads the pattern.
bool is_blank_free(const std::string& text) {
    static const Pattern word("^\\S+$");
    return word.matches(text);
}

}  // namespace

void Vcsrepo::prepare() {
    if (const Value* path = resource_.find("path"); path != nullptr && !path->is(Value::Kind::String))
        throw SystemError(not_a_text(*path));
    path_ = resource_.text("path", resource_.title);
    if (!path_.starts_with('/')) throw parameter_error(resource_, "path", "Path must be absolute: " + path_);
    has_ensure_ = resource_.find("ensure") != nullptr;
    ensure_ = word_parameter(resource_, "ensure", "present, bare, mirror, absent, latest");
    revision_ = resource_.text("revision");
    if (resource_.find("revision") != nullptr && !is_blank_free(revision_))
        throw invalid_parameter(resource_, "revision", {}, "/^\\S+$/");
    const auto managed = {"source", "revision", "includes", "skip_hooks"};
    if (!has_ensure_ && std::any_of(managed.begin(), managed.end(),
                                    [this](const char* name) { return resource_.find(name) != nullptr; })) {
        has_ensure_ = true;
        ensure_ = "present";
    }
    for (const auto& [attribute, feature] : of_other_systems)
        leave_unmanaged(run_, resource_, "git", feature, attribute);
    force_ = boolean_parameter(resource_, "force", false);
    submodules_ = true_or_false(resource_, "submodules", true);
    keeps_changes_ = true_or_false(resource_, "keep_local_changes", false);
    true_or_false(resource_, "safe_directory", false);
    if (resource_.find("skip_hooks") != nullptr)
        skip_hooks_ = true_or_false(resource_, "skip_hooks", false) ? "true" : "false";
    includes_ = resource_.texts("includes");
    for (const std::string& folder : includes_) {
        if (folder.starts_with('/'))
            throw parameter_error(resource_, "includes",
                                  "Include path '" + folder + "' starts with a '/'; remove it");
    }
    remote_ = resource_.text("remote", "origin");
    user_ = resource_.text("user");
    owner_ = resource_.text("owner");
    group_ = resource_.text("group");
    GitAccess access;
    access.path = path_;
    access.user = user_;
    access.identity = resource_.text("identity");
    access.trusts_any_server = true_or_false(resource_, "trust_server_cert", false);
    if (const Value* umask = resource_.find("umask")) {
        const std::string text = umask->to_text();
        unsigned mask = 0;
        const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), mask, 8);
        const bool fits = text.size() <= 4 || (text.size() == 5 && text[0] == '0');
        if (fault != std::errc() || end != text.data() + text.size() || !fits)
            throw parameter_error(resource_, "umask",
                                  "The umask specification is invalid: " + umask->inspected());
        access.umask = static_cast<mode_t>(mask);
    }
    access.proxies = proxies();
    git_.emplace(run_, std::move(access));
    read_source();
}

bool Vcsrepo::suitable() { return has_tool("git"); }

void Vcsrepo::read_source() {
    const Value* source = resource_.find("source");
    if (source == nullptr) return;
    several_ = source->is(Value::Kind::Hash);
    if (!several_) {
        remotes_.emplace_back(remote_, source->to_text());
        return;
    }
    for (const auto& [name, url] : source->pairs()) remotes_.emplace_back(name.to_text(), url.to_text());
    std::sort(remotes_.begin(), remotes_.end());
}

/// The settings that lead to proxies.
std::vector<std::pair<std::string, std::string>> Vcsrepo::proxies() const {
    static const Pattern proxy("^https?://\\S+$");
    std::vector<std::pair<std::string, std::string>> found;
    const Value* value = resource_.find("http_proxy");
    if (value == nullptr) return found;
    if (!value->is(Value::Kind::Hash)) {
        if (!proxy.matches(value->to_text()))
            throw parameter_error(resource_, "http_proxy",
                                  "HTTP Proxy must be an HTTP/HTTPS URL: " + value->to_text());
        found.emplace_back("http.proxy", value->to_text());
        return found;
    }
    for (const auto& [remote, url] : value->pairs()) {
        if (!proxy.matches(url.to_text()))
            throw parameter_error(
                resource_, "http_proxy",
                "HTTP Proxy for " + remote.to_text() + " must be an HTTP/HTTPS URL: " + url.to_text());
        found.emplace_back("remote." + remote.to_text() + ".proxy", url.to_text());
    }
    return found;
}

void Vcsrepo::notice(const std::string& text) const { run_.log_by_provider(Level::Notice, resource_, text); }

Value Vcsrepo::state() {
    if (has_working_copy()) {
        const bool latest = ensure_ == "latest" && is_latest();
        return Value::symbol(latest ? "latest" : "present");
    }
    if (!has_bare_repository()) return absent();
    return Value::symbol(is_mirror() ? "mirror" : "bare");
}

Current Vcsrepo::retrieve() {
    if (resource_.find("provider") == nullptr)
        throw ApplyError("vcsrepo resource must have a provider, available: git");
    Current current;
    const Value now = state();
    const bool there = !(now == absent());
    current.set("ensure", now);
    if (reads("source")) current.set("source", there ? remotes_now() : absent());
    if (reads("revision")) current.set("revision", there ? Value(revision("HEAD")) : absent());
    if (reads("includes")) current.set("includes", there ? included() : absent());
    if (reads("skip_hooks")) current.set("skip_hooks", there ? Value::symbol(skips_hooks()) : absent());
    return current;
}

/// The URL of the only remote, or those of all by their names.
Value Vcsrepo::remotes_now() const {
    Value::Pairs urls;
    for (const std::string& name : git_->lines({"remote"})) {
        std::string url = git_->call({"config", "--get", "remote." + name + ".url"});
        if (url.ends_with('\n')) url.pop_back();
        urls.emplace_back(text_value(name), Value(std::move(url)));
    }
    if (urls.size() == 1) return urls[0].second;
    return Value(std::move(urls));
}

std::vector<Wanted> Vcsrepo::wanted() {
    std::vector<Wanted> list;
    if (has_ensure_) list.push_back(want("ensure", Value::symbol(ensure_)));
    if (const Value* source = resource_.find("source"))
        list.push_back(want("source", *source, is_sensitive("source")));
    if (!revision_.empty()) list.push_back(want("revision", Value(revision_), is_sensitive("revision")));
    if (!includes_.empty()) {
        Value::Items items;
        for (const std::string& folder : includes_) items.emplace_back(folder);
        list.push_back(want("includes", Value(std::move(items)), is_sensitive("includes")));
    }
    if (!skip_hooks_.empty()) list.push_back(want("skip_hooks", Value::symbol(skip_hooks_)));
    return list;
}

bool Vcsrepo::in_sync(Wanted& wanted, const Value& current) {
    if (wanted.name == "ensure" && ensure_ == "present") return !(current == absent());
    if (wanted.name == "source" && current.is_text() && wanted.value.is_text()) {
        const auto plain = [](const std::string& url) {
            return url.ends_with('/') ? url.substr(0, url.size() - 1) : url;
        };
        return current.text() == wanted.value.text() ||
               (current.text().ends_with('/') != wanted.value.text().ends_with('/') &&
                plain(current.text()) == plain(wanted.value.text()));
    }
    if (wanted.name == "source" && current.is(Value::Kind::Hash) && wanted.value.is(Value::Kind::Hash)) {
        Remotes now;
        for (const auto& [name, url] : current.pairs()) now.emplace_back(name.to_text(), url.to_text());
        std::sort(now.begin(), now.end());
        return now == remotes_;
    }
    if (wanted.name == "includes" && current.is(Value::Kind::Array)) {
        std::vector<std::string> now, then = includes_;
        for (const Value& folder : current.items()) now.push_back(folder.to_text());
        std::sort(now.begin(), now.end());
        std::sort(then.begin(), then.end());
        return now == then;
    }
    return Instance::in_sync(wanted, current);
}

void Vcsrepo::sync(Wanted& wanted, const Value&) {
    if (wanted.name == "ensure")
        sync_ensure();
    else if (wanted.name == "source")
        sync_source();
    else if (wanted.name == "revision")
        set_revision(revision_);
    else if (wanted.name == "includes")
        include();
    else
        skip_hooks(skip_hooks_);
}

void Vcsrepo::sync_ensure() {
    if (ensure_ == "absent") {
        if (is_there()) destroy();
    } else if (ensure_ == "latest") {
        update_to_latest();
    } else if (!is_there()) {
        create();
    } else if (ensure_ == "present") {
        if (has_bare_repository()) to_working_copy();
    } else if (has_working_copy()) {
        to_bare();
    } else if (is_mirror() != (ensure_ == "mirror")) {
        set_mirror(ensure_ == "mirror");
    }
}

void Vcsrepo::sync_source() {
    const Value now = remotes_now();
    if (now.is(Value::Kind::Hash)) {
        for (const auto& [name, url] : now.pairs()) {
            const std::string known = name.to_text();
            const bool stays = std::any_of(remotes_.begin(), remotes_.end(),
                                           [&](const auto& remote) { return remote.first == known; });
            if (!stays) git_->call({"remote", "remove", known});
        }
    }
    if (!now.is(Value::Kind::Hash) && !several_)
        create();
    else
        update_remotes();
}

void Vcsrepo::update_to_latest() {
    if (!is_there() || force_) {
        run_.log(Level::Notice, resource_, "ensure", "Creating repository from latest");
        create();
        return;
    }
    if (has_bare_repository()) to_working_copy();
    fetch_references();
    std::string reference = revision_;
    if (reference.empty()) reference = git_->current_branch().value_or("");
    if (reference.empty()) reference = revision("HEAD");
    run_.log(Level::Notice, resource_, "ensure", "Updating to latest '" + reference + "' revision");
    set_revision(reference);
}

std::vector<Autorelation> Vcsrepo::autorelations() {
    std::vector<Autorelation> list;
    for (const char* package : {"git", "git-core", "mercurial", "subversion"})
        list.push_back({Autorelation::Kind::Require, "Package", package});
    return list;
}

namespace {

constexpr std::array<Attribute, 31> vcsrepo_attributes = {
    {{"path", Kind::Namevar, "String", "The folder of the repository."},
     {"ensure", Kind::Property, "Enum[present, bare, mirror, absent, latest]",
      "Whether it should exist, and how; latest follows the remote."},
     {"source", Kind::Property, "Variant[String, Hash]",
      "The URL that it is cloned from, or URLs by the names of remotes."},
     {"revision", Kind::Property, "String", "A branch, a tag or a commit."},
     {"includes", Kind::Property, "Variant[String, Array[String]]", "The only paths that are checked out."},
     {"skip_hooks", Kind::Property, "Boolean", "Whether hooks of the machine are skipped."},
     {"owner", Kind::Parameter, "Variant[String, Integer]", "Who owns the files."},
     {"group", Kind::Parameter, "Variant[String, Integer]", "The group of the files."},
     {"user", Kind::Parameter, "String", "As whom git runs."},
     {"excludes", Kind::Parameter, "Variant[String, Array[String]]", "What git does not look at."},
     {"force", Kind::Parameter, "Boolean", "Whether something else at the path is removed (false)."},
     {"identity", Kind::Parameter, "String", "A key for ssh."},
     {"remote", Kind::Parameter, "String", "The remote that is followed (origin)."},
     {"depth", Kind::Parameter, "Variant[Integer, String]", "How many commits are cloned."},
     {"branch", Kind::Parameter, "String", "The branch that is cloned."},
     {"submodules", Kind::Parameter, "Boolean", "Whether submodules are updated (true)."},
     {"trust_server_cert", Kind::Parameter, "Boolean",
      "Whether any certificate of a server will do (false)."},
     {"keep_local_changes", Kind::Parameter, "Boolean",
      "Whether local changes stay when the revision changes (false)."},
     {"safe_directory", Kind::Parameter, "Boolean",
      "Whether git trusts the folder though others own it (false)."},
     {"umask", Kind::Parameter, "String", "The umask of git, in octal."},
     {"http_proxy", Kind::Parameter, "Variant[String, Hash]", "A proxy, or proxies by the names of remotes."},
     {"tmpdir", Kind::Parameter, "String", "Of git without GIT_SSH_COMMAND; it is not needed."},
     {"conflict", Kind::Parameter, "String", "Of other systems than git."},
     {"fstype", Kind::Parameter, "String", "Of other systems than git."},
     {"compression", Kind::Parameter, "Variant[Integer, String]", "Of other systems than git."},
     {"basic_auth_username", Kind::Parameter, "String", "Of other systems than git."},
     {"basic_auth_password", Kind::Parameter, "String", "Of other systems than git.", true},
     {"module", Kind::Parameter, "String", "Of other systems than git."},
     {"configuration", Kind::Parameter, "String", "Of other systems than git."},
     {"cvs_rsh", Kind::Parameter, "String", "Of other systems than git."},
     {"p4config", Kind::Parameter, "String", "Of other systems than git."}}};

}  // namespace

const TypeSpec& vcsrepo_type() {
    static const TypeSpec spec{"vcsrepo", "A repository of git, of the module vcsrepo.", "git",
                               vcsrepo_attributes, make_instance_of<Vcsrepo>};
    return spec;
}

}  // namespace volley::agent
