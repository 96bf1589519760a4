#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apply/agent/types/instance.hpp"
#include "apply/agent/types/vcsrepo/git_repository.hpp"

namespace volley::agent {

/// A repository of git, of puppetlabs-vcsrepo.
class Vcsrepo final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    std::string_view provider() const override { return "git"; }
    bool suitable() override;
    std::string needs() const override { return "the command git is not there"; }
    Current retrieve() override;
    std::vector<Wanted> wanted() override;
    bool in_sync(Wanted& wanted, const Value& current) override;
    // Compatibility: the module does not say whether a repository that was present and is gone was corrected.
    bool is_unchanged(const Wanted& wanted, const Value& before, const Value& current) override {
        return before == current || (wanted.name == "ensure" && before == Value::symbol("present"));
    }
    void sync(Wanted& wanted, const Value& current) override;
    std::vector<Autorelation> autorelations() override;

private:
    using Remotes = std::vector<std::pair<std::string, std::string>>;

    // vcsrepo.cpp
    void read_source();
    std::vector<std::pair<std::string, std::string>> proxies() const;
    void notice(const std::string& text) const;
    Value state();
    Value remotes_now() const;
    void sync_source();
    void sync_ensure();

    // vcsrepo_changes.cpp
    const std::string& default_url() const;
    bool has_working_copy() const;
    bool has_bare_repository() const;
    bool is_there();
    bool is_mirror() const;
    bool wants_bare() const { return ensure_ == "bare" || ensure_ == "mirror"; }
    void create();
    void destroy();
    void clear_place();
    void clone();
    void init();
    void to_bare();
    void to_working_copy();
    void set_mirror(bool on);
    void update_remotes();
    bool update_remote(const std::string& name, const std::string& url);
    void fetch_references();
    bool is_latest();
    std::string revision(const std::string& place);
    void set_revision(const std::string& wanted);
    void check_out(const std::string& wanted);
    void update_submodules();
    void update_to_latest();
    std::string skips_hooks() const;
    void skip_hooks(const std::string& wanted);
    Value included() const;
    void include();
    void set_owner_and_excludes();
    void set_owner() const;
    std::vector<std::string> excludes() const { return resource_.texts("excludes"); }
    std::vector<std::string> safe_folders() const;
    void update_safe_folder();
    void forget_safe_folder();

    std::string path_, ensure_, remote_, revision_, user_, owner_, group_, skip_hooks_;
    bool has_ensure_ = false, force_ = false, submodules_ = true, keeps_changes_ = false;
    Remotes remotes_;       // of `source`; one without a name for a text
    bool several_ = false;  // `source` is a map
    std::vector<std::string> includes_;
    std::optional<GitRepository> git_;
};

}  // namespace volley::agent
