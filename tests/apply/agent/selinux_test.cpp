#include "apply/agent/machine/selinux.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/transaction/transaction.hpp"
#include "apply/agent/values/errors.hpp"

using namespace volley::agent;

namespace {

/// The files of a machine with SELinux.
struct Labels {
    bool on = true;
    std::string mounts = "rootfs / rootfs rw 0 0\n/dev/sda / ext4 rw 0 0\nproc /proc proc rw 0 0\n";
    std::string translations = "# comment\n s0 = SystemLow\ns0:c0.c1023=SystemHigh\n";
    std::map<std::string, std::string> of_files, of_policy;
    std::vector<std::string> asked;  // "KIND: PATH PATH"
    bool refuses = false;
};

class LabelledMachine final : public SelinuxMachine {
public:
    explicit LabelledMachine(Labels& labels) : labels_(labels) {}
    bool enabled() override { return labels_.on; }
    std::string mounts() override { return labels_.mounts; }
    std::optional<std::string> label(const std::string& path) override {
        const auto found = labels_.of_files.find(path);
        return found == labels_.of_files.end() ? std::nullopt : std::optional(found->second);
    }
    bool set_label(const std::string& path, const std::string& label) override {
        if (!labels_.refuses) labels_.of_files[path] = label;
        return !labels_.refuses;
    }
    std::string defaults(const std::string& kind, const std::vector<std::string>& paths) override {
        std::string lines, question = kind + ":";
        for (const std::string& path : paths) {
            question += " " + path;
            if (const auto found = labels_.of_policy.find(path); found != labels_.of_policy.end())
                lines += path + "\t" + found->second + "\n";
        }
        labels_.asked.push_back(std::move(question));
        return lines;
    }
    std::string translations() override { return labels_.translations; }

private:
    Labels& labels_;
};

struct LabelFolder {
    std::string path = "/tmp/agent_selinux.XXXXXX";
    LabelFolder() { REQUIRE(::mkdtemp(path.data()) != nullptr); }
    ~LabelFolder() { remove_tree(path); }
};

using FileAttributes = std::vector<std::pair<std::string, std::string>>;

/// Applies the files, and returns what was logged.
std::vector<std::string> apply_labelled(Labels& labels,
                                        const std::vector<std::pair<std::string, FileAttributes>>& files) {
    Settings settings;
    settings.all_default_resources = false;
    Run run{Catalog(), settings};
    run.shared<FileContexts>().use(std::make_unique<LabelledMachine>(labels));
    for (const auto& [path, attributes] : files) {
        auto file = found_resource("file", path);
        for (const auto& [name, value] : attributes) file->set(name, Value(value));
        run.catalog.add(std::move(file));
    }
    Transaction(run).apply();
    std::vector<std::string> lines;
    for (std::size_t number = 0; number < run.line_count(); ++number)
        lines.push_back(run.line(number).message);
    return lines;
}

}  // namespace

TEST_CASE("a context is taken apart as Puppet does", "[agent][selinux]") {
    CHECK(*parse_context("u:r:t") == ContextParts{"u", "r", "t", ""});
    CHECK(*parse_context("system_u:object_r:etc_t:s0") ==
          ContextParts{"system_u", "object_r", "etc_t", "s0"});
    CHECK((*parse_context("u:r:t:s0-s0:c0.c1023"))[3] == "s0-s0:c0.c1023");
    CHECK(context_text(*parse_context("u:r:t:s0-s0:c0.c1023")) == "u:r:t:s0-s0:c0.c1023");
    CHECK(context_text({"u", "r", "t", ""}) == "u:r:t");
    CHECK_FALSE(parse_context("unlabeled"));
    CHECK_FALSE(parse_context("<<none>>"));
    for (const char* text : {"", "u", "u:r", "u:r:", ":r:t", "u:r:t:", "u r:r:t", "u:r:t:s0/c1"})
        CHECK_THROWS_WITH(parse_context(text), "Invalid context to parse: " + std::string(text));
}

TEST_CASE("file systems have labels or have not", "[agent][selinux]") {
    Labels labels;
    labels.mounts =
        "rootfs / rootfs rw 0 0\n/dev/a / ext4 rw 0 0\nnone /run tmpfs rw 0 0\nx /srv/nfs nfs4 rw 0 0\n"
        "/dev/b /srv/nfs/disk xfs rw 0 0\n";
    FileContexts contexts;
    contexts.use(std::make_unique<LabelledMachine>(labels));
    for (const char* path :
         {"/", "/etc/x", "/run/x", "/srv/x", "/srv/nfsx", "/srv/nfs/disk/x", "/srv/nfs/../x"})
        CHECK(contexts.has_labels(path));
    CHECK_FALSE(contexts.has_labels("/srv/nfs"));
    CHECK_FALSE(contexts.has_labels("/srv/nfs/x"));
    labels.on = false;
    FileContexts off;
    off.use(std::make_unique<LabelledMachine>(labels));
    CHECK_FALSE(off.has_labels("/"));
}

TEST_CASE("the policy is asked once for all files that are expected", "[agent][selinux]") {
    Labels labels;
    labels.of_policy = {{"/a", "u:r:a_t:SystemLow"}, {"/c", "u:r:c_t"}, {"/d", "<<none>>"}};
    FileContexts contexts;
    contexts.use(std::make_unique<LabelledMachine>(labels));
    for (const char* path : {"/a", "/b", "/c", "/a"}) contexts.expect(path, "");
    contexts.expect("/d", "dir");
    CHECK(contexts.default_of("/a", "") == ContextParts{"u", "r", "a_t", "s0"});
    CHECK_FALSE(contexts.default_of("/b", ""));
    CHECK(contexts.default_of("/c", "") == ContextParts{"u", "r", "c_t", ""});
    CHECK_FALSE(contexts.default_of("/d", "dir"));
    CHECK(labels.asked == std::vector<std::string>{": /a /b /c", "dir: /d"});
    CHECK(contexts.default_of("/a", "file"));
    CHECK(labels.asked.back() == "file: /a");
}

TEST_CASE("many paths go in several calls", "[agent][selinux]") {
    Labels labels;
    FileContexts contexts;
    contexts.use(std::make_unique<LabelledMachine>(labels));
    for (int i = 0; i < 1000; ++i) contexts.expect("/" + std::string(200, 'x') + std::to_string(i), "");
    CHECK_FALSE(contexts.default_of("/y", ""));
    CHECK(labels.asked.size() == 4);
}

TEST_CASE("a file gets the policy's context, and what the manifest says goes before it", "[agent][selinux]") {
    const LabelFolder folder;
    const std::string a = folder.path + "/a", b = folder.path + "/b", c = folder.path + "/c";
    Labels labels;
    labels.of_policy = {{a, "system_u:object_r:etc_t:s0"},
                        {b, "system_u:object_r:etc_t:s0"},
                        {c, "system_u:object_r:etc_t:s0"}};
    for (const std::string& path : {a, b, c}) {
        replace_content(path, "x", 0644);
        labels.of_files[path] = "user_u:object_r:tmp_t:s0";
    }
    const std::vector<std::pair<std::string, FileAttributes>> files = {
        {a, {{"content", "x"}}},
        {b, {{"content", "x"}, {"seltype", "bin_t"}, {"selrange", "SystemHigh"}}},
        {c, {{"content", "x"}, {"selinux_ignore_defaults", "true"}, {"seluser", "root"}}}};
    const auto lines = apply_labelled(labels, files);
    CHECK(labels.of_files[a] == "system_u:object_r:etc_t:s0");
    CHECK(labels.of_files[b] == "system_u:object_r:bin_t:s0:c0.c1023");
    CHECK(labels.of_files[c] == "root:object_r:tmp_t:s0");
    CHECK(lines == std::vector<std::string>{
                       "seluser changed 'user_u' to 'system_u'", "seltype changed 'tmp_t' to 'etc_t'",
                       "seluser changed 'user_u' to 'system_u'", "seltype changed 'tmp_t' to 'bin_t'",
                       "selrange changed 's0' to 's0:c0.c1023'", "seluser changed 'user_u' to 'root'"});
    CHECK(labels.asked == std::vector<std::string>{": " + a + " " + b});
    CHECK(apply_labelled(labels, files).empty());
}

TEST_CASE("a new file gets its context with its creation", "[agent][selinux]") {
    const LabelFolder folder;
    const std::string file = folder.path + "/a", dir = folder.path + "/d", link = folder.path + "/l";
    Labels labels;
    for (const std::string& path : {file, dir, link}) {
        labels.of_policy[path] = "system_u:object_r:etc_t:s0";
        labels.of_files[path] = "u:r:tmp_t:s0";  // what the kernel will make of it
    }
    const std::vector<std::pair<std::string, FileAttributes>> files = {
        {file, {{"content", "x"}}}, {dir, {{"ensure", "directory"}}}, {link, {{"ensure", "/x"}}}};
    CHECK(apply_labelled(labels, files).size() == 3);
    CHECK(labels.asked == std::vector<std::string>{"dir: " + dir, "file: " + file, "lnk_file: " + link});
    for (const std::string& path : {file, dir, link}) CHECK(labels.of_files[path] == labels.of_policy[path]);
    CHECK(apply_labelled(labels, files).empty());
}

TEST_CASE("without SELinux contexts are as they shall be", "[agent][selinux]") {
    const LabelFolder folder;
    const std::string path = folder.path + "/a";
    Labels labels;
    labels.of_policy[path] = "system_u:object_r:etc_t:s0";
    const auto check = [&] {
        const auto lines = apply_labelled(labels, {{path, {{"content", "x"}, {"seltype", "bin_t"}}}});
        CHECK(labels.of_files.empty());
        CHECK(labels.asked.empty());
        return lines.size();
    };
    labels.on = false;
    CHECK(check() == 1);
    labels.on = true;
    labels.mounts = "/dev/a / vfat rw 0 0\n";
    CHECK(check() == 0);
}

TEST_CASE("what the machine refuses is warned of", "[agent][selinux]") {
    const LabelFolder folder;
    const std::string path = folder.path + "/a";
    replace_content(path, "x", 0644);
    Labels labels;
    const std::vector<std::pair<std::string, FileAttributes>> files = {{path, {{"seltype", "bin_t"}}}};
    const auto unlabelled = apply_labelled(labels, files);
    REQUIRE_FALSE(unlabelled.empty());
    CHECK(unlabelled[0] ==
          "Can't set SELinux context on file unless the file already has some kind of context");
    labels.of_files[path] = "u:r:t:s0";
    labels.refuses = true;
    CHECK(apply_labelled(labels, files)[0] == "Failed to set SELinux context u:r:bin_t:s0 on " + path);
}

TEST_CASE("the label of a file is written and read, and stays when the file is replaced",
          "[agent][selinux]") {
    const LabelFolder folder;
    const std::string path = folder.path + "/a", link = folder.path + "/l";
    replace_content(path, "x", 0644);
    REQUIRE(::symlink(path.c_str(), link.c_str()) == 0);
    FileContexts contexts;
    CHECK_FALSE(contexts.set(folder.path + "/none", {"u", "r", "t", ""}));
    if (!contexts.set(path, {"system_u", "object_r", "etc_t", "s0"})) {
        WARN("labels cannot be written here: this needs root, and a file system with extended attributes");
        return;
    }
    CHECK(contexts.current(path) == ContextParts{"system_u", "object_r", "etc_t", "s0"});
    CHECK_FALSE(contexts.current(link));
    replace_content(path, "y", 0644);
    CHECK(contexts.current(path) == ContextParts{"system_u", "object_r", "etc_t", "s0"});
}
