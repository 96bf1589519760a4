#include "apply/content/module_files.hpp"

#include <stdlib.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <fstream>

namespace volley {
namespace {

namespace fs = std::filesystem;

/// A module "m" on the disk, gone afterwards.
class ModuleFolder {
public:
    ModuleFolder() {
        std::string name = (fs::temp_directory_path() / "volley-modules-XXXXXX").string();
        folder_ = ::mkdtemp(name.data());
        for (const char* file : {"files/a", "files/ab", "files/tree/x", "files/tree/sub/y", "scripts/s",
                                 "lib/puppet/z.rb", "facts.d/f.txt", "types/t.pp", "manifests/init.pp"})
            write(file, file);
    }
    ~ModuleFolder() { fs::remove_all(folder_); }
    ModuleFolder(const ModuleFolder&) = delete;
    ModuleFolder& operator=(const ModuleFolder&) = delete;
    void write(const std::string& file, const std::string& text) const {
        fs::create_directories((folder_ / file).parent_path());
        std::ofstream(folder_ / file) << text;
    }
    const fs::path& path() const { return folder_; }
    void make_folder(const std::string& path) const { fs::create_directories(folder_ / path); }
    ModuleFiles files(const std::vector<std::string>& only = {}) const {
        return ModuleFiles({{"m", folder_.string()}}, only);
    }

private:
    fs::path folder_;
};

std::vector<std::string> paths_of(const std::vector<DeliveredFile>& files) {
    std::vector<std::string> paths;
    for (const DeliveredFile& file : files) paths.push_back(file.path);
    return paths;
}

Catalog catalog_with(std::vector<std::pair<std::string, Value>> parameters) {
    Catalog catalog;
    CatalogResource resource;
    resource.type = "File";
    resource.title = "/etc/x";
    resource.parameters = std::move(parameters);
    catalog.resources.push_back(std::move(resource));
    return catalog;
}

using Paths = std::vector<std::string>;

}  // namespace

TEST_CASE("APL-014 APL-015 the code of modules goes to targets, manifests do not", "[apply]") {
    const ModuleFolder module;
    CHECK(paths_of(module.files().code(false)) == Paths{"m/facts.d/f.txt", "m/lib/puppet/z.rb"});
    CHECK(paths_of(module.files().code(true)) ==
          Paths{"m/facts.d/f.txt", "m/lib/puppet/z.rb", "m/types/t.pp"});
    CHECK(module.files({"other"}).code(true).empty());
    const std::vector<DeliveredFile> all = module.files().code(true);
    for (const DeliveredFile& file : all) CHECK(file.code);
}

TEST_CASE("APL-014 of a module's files only those that a catalog names are delivered", "[apply]") {
    const ModuleFolder module;
    const ModuleFiles files = module.files();
    CHECK(files.named_by(catalog_with({{"content", Value("x")}})).empty());
    const auto one = files.named_by(catalog_with({{"source", Value("puppet:///modules/m/a")}}));
    REQUIRE(paths_of(one) == Paths{"m/files/a"});
    CHECK(one[0].here == Paths{"/etc/x"});
    CHECK_FALSE(one[0].code);
    CHECK(one[0].sum == "8f19b4cd4bf1bb7e251edd391d5637b1684e21a7c2c2074618eb00e9c13b50c0");
    const auto tree = files.named_by(catalog_with({{"source", Value("puppet:///modules/m/tree")}}));
    REQUIRE(paths_of(tree) == Paths{"m/files/tree/sub/y", "m/files/tree/x"});
    CHECK(tree[0].here == Paths{"/etc/x/sub/y"});
    CHECK(paths_of(files.named_by(catalog_with({{"source", Value("puppet:///scripts/m/s")}}))) ==
          Paths{"m/scripts/s"});
}

TEST_CASE("APL-014 folders without files are delivered as folders", "[apply]") {
    const ModuleFolder module;
    module.make_folder("files/tree/bare/deep");
    module.make_folder("files/nothing");
    const ModuleFiles files = module.files();
    const auto tree = files.named_by(catalog_with({{"source", Value("puppet:///modules/m/tree")}}));
    REQUIRE(paths_of(tree) ==
            Paths{"m/files/tree/bare", "m/files/tree/bare/deep", "m/files/tree/sub/y", "m/files/tree/x"});
    CHECK(tree[1].folder);
    CHECK(tree[1].sum.empty());
    CHECK(tree[1].here.empty());
    CHECK_FALSE(tree[2].folder);
    const auto nothing = files.named_by(catalog_with({{"source", Value("puppet:///modules/m/nothing")}}));
    REQUIRE(paths_of(nothing) == Paths{"m/files/nothing"});
    CHECK(nothing[0].folder);
}

TEST_CASE("APL-014 pipes and devices are not files of a module", "[apply]") {
    const ModuleFolder module;
    REQUIRE(::mkfifo((module.path() / "files/tree/pipe").c_str(), 0600) == 0);
    fs::create_symlink("/dev/zero", module.path() / "files/zeros");
    const ModuleFiles files = module.files();
    for (const char* name : {"tree/pipe", "zeros"})
        CHECK(files.named_by(catalog_with({{"source", Value(std::string("puppet:///modules/m/") + name)}}))
                  .empty());
    CHECK(paths_of(files.named_by(catalog_with({{"source", Value("puppet:///modules/m/tree")}}))) ==
          Paths{"m/files/tree/sub/y", "m/files/tree/x"});
}

TEST_CASE("APL-014 of several sources the first that exists is delivered", "[apply]") {
    const ModuleFolder module;
    const Value sources(std::vector<Value>{Value("puppet:///modules/m/none"), Value("puppet:///modules/m/ab"),
                                           Value("puppet:///modules/m/a")});
    CHECK(paths_of(module.files().named_by(catalog_with({{"source", sources}}))) == Paths{"m/files/ab"});
    CHECK(paths_of(module.files().named_by(catalog_with(
              {{"source", sources}, {"sourceselect", Value("all")}}))) == Paths{"m/files/a", "m/files/ab"});
}

TEST_CASE("a source that leaves its module is not delivered", "[apply]") {
    const ModuleFolder module;
    module.write("secret", "secret");
    for (const char* source :
         {"puppet:///modules/m/../secret", "puppet:///modules/m//etc/passwd", "puppet:///modules/m",
          "puppet:///modules/../m/secret", "puppet:///modules/"}) {
        INFO(source);
        CHECK(module.files().named_by(catalog_with({{"source", Value(source)}})).empty());
    }
}

TEST_CASE("a file that changed has another checksum", "[apply]") {
    const ModuleFolder module;
    const ModuleFiles files = module.files();
    const Catalog catalog = catalog_with({{"source", Value("puppet:///modules/m/a")}});
    const std::string before = files.named_by(catalog).at(0).sum;
    module.write("files/a", "something longer than before");
    CHECK(files.named_by(catalog).at(0).sum != before);
}

}  // namespace volley
