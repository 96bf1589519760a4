#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apply/agent/machine/bucket.hpp"
#include "apply/agent/machine/files.hpp"
#include "apply/agent/machine/selinux.hpp"
#include "apply/agent/transaction/run.hpp"
#include "apply/agent/types/file/file_source.hpp"
#include "apply/agent/types/instance.hpp"
#include "apply/agent/values/errors.hpp"

namespace volley::agent {

/// One file resource. A file has one way to come into being for each `ensure`, and further properties that
/// are put right right after that and on later runs.
class FileInstance final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    void finish() override;
    std::string_view provider() const override { return "posix"; }
    Current retrieve() override;
    std::vector<Wanted> wanted() override;
    bool in_sync(Wanted& wanted, const Value& current) override;
    bool is_unchanged(const Wanted& wanted, const Value& before, const Value& current) override;
    bool has_usual_values() const override { return false; }
    void sync(Wanted& wanted, const Value& current) override;
    std::string change_text(const Wanted& wanted, const Value& current) override;
    std::string shown_current(const Wanted& wanted, const Value& value) override;
    std::string shown_wanted(const Wanted& wanted) override;
    std::vector<Autorelation> autorelations() override;
    bool generates_late() const override { return recurse_ != Recurse::No; }
    std::vector<std::unique_ptr<Resource>> generate_late() override;
    std::string place() const override { return path_; }
    bool ends_with_its_turn() const override { return true; }

private:
    enum class Recurse : std::uint8_t { No, Yes, Remote };

    // file_parameters.cpp
    void read_ensure();
    void read_content();
    void check_account(const char* name) const;
    template <class FaultOf>
    const Value* first_checked(const char* name, const FaultOf& fault_of);
    void read_recursion();
    void check_creators() const;

    // file.cpp
    std::optional<FileStat> stat() const;
    Value current_content(const std::optional<FileStat>& stat);
    bool holds_content(const FileStat& stat) const;
    Value current_mode(const std::optional<FileStat>& stat);
    void take_over_source();
    bool should_be_file() const;
    bool content_in_sync(const Wanted& wanted, const Value& current);
    bool owner_in_sync(Wanted& wanted, const Value& current);
    bool group_in_sync(Wanted& wanted, const Value& current);
    bool mode_in_sync(const Value& current, std::optional<FileKind> kind) const;
    void show_diff(const std::string& property);
    std::string checksum_of_file() const;
    bool is_by_checksum_value() const;
    bool manages_content() const;
    const std::string& content_checksum();
    std::string wanted_checksum();

    // file_changes.cpp
    void sync_ensure();
    void write();
    void make_directory();
    void make_link();
    void give_to_group_of_owner(const std::string& folder);
    void write_nothing();
    void write_content();
    void validate(const std::string& temporary) const;
    void fix_properties();
    void sync_owner(const Value& uid);
    void sync_group(const Value& gid);
    void sync_mode(unsigned before);
    bool remove_existing(const std::string& wanted_kind);
    void back_up();
    std::string bucket_folder() const;

    // file_selinux.cpp
    static bool is_context(std::string_view property);
    std::string kind_for_policy() const;
    void expect_context();
    ContextParts wanted_context();
    void retrieve_context(Current& current, bool exists);
    void sync_context(std::string_view property, const std::string& value);
    void fix_context();

    // file_recursion.cpp
    struct Found {
        std::string relative;
        std::string full;
        FileKind kind = FileKind::File;
    };
    std::vector<Found> files_below(const std::string& folder, bool local) const;
    std::vector<Found> offered_below(const std::string& url) const;
    bool ignores(const std::string& name) const;
    std::unique_ptr<Resource> child(const std::string& relative) const;

    // There are ten thousands of files in a catalog: what most do not have costs a pointer.
    std::string path_;
    std::string target_;
    std::string checksum_value_;
    std::string content_checksum_;  // "{sha256}...", of the source, or once it was asked for of the content
    std::unique_ptr<FileSource> source_;
    std::unique_ptr<Value> owner_, group_;
    Word ensure_;  // empty: not given
    Word mode_;    // normal form; empty: not given
    Word checksum_ = "sha256";
    Word backup_;                      // empty: none; ".ext", or the name of a bucket
    std::optional<Word> policy_kind_;  // what the file was, or would be, when the run began
    TextList ignore_;
    long max_files_ = 0;
    std::optional<unsigned> recurse_limit_;
    std::optional<FileKind> kind_;  // of what retrieve() found; nullopt: nothing
    Recurse recurse_ = Recurse::No;
    bool has_content_ = false;  // as a text of the catalog
    bool content_by_checksum_ = false;
    bool follow_links_ = false;
    bool force_ = false, purge_ = false, replace_ = true, show_diff_ = true;
    bool ignores_context_defaults_ = false;
    bool fixed_ = false;  // fix_properties() was there in this run
};

}  // namespace volley::agent
