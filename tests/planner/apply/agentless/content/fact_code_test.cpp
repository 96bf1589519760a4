#include "planner/apply/agentless/content/fact_code.hpp"

#include <catch2/catch.hpp>

using namespace volley::planner;
using volley::DeliveredFile;

namespace {

std::vector<DeliveredFile> fact_test_files(const std::vector<const char*>& paths) {
    std::vector<DeliveredFile> code;
    for (const char* path : paths) {
        DeliveredFile file;
        file.path = path;
        code.push_back(std::move(file));
    }
    return code;
}

std::vector<std::string> fact_test_paths(const std::vector<DeliveredFile>& files) {
    std::vector<std::string> found;
    for (const DeliveredFile& file : files) found.push_back(file.path);
    return found;
}

std::vector<std::string> wanted(const std::vector<const char*>& paths) {
    return fact_test_paths(fact_code(fact_test_files(paths)));
}

}  // namespace

TEST_CASE("facts take facts.d, and lib only where a module defines facts in Ruby", "[agentless]") {
    CHECK(wanted({"a/lib/puppet_x/a.rb", "a/lib/facter/util/a.rb", "a/types/b.pp"}).empty());
    CHECK(wanted({"a/facts.d/x.txt", "a/lib/a.rb", "a/facts.d/deep/y"}) ==
          std::vector<std::string>{"a/facts.d/x.txt"});
    CHECK(wanted({"a/lib/facter/f.rb", "b/lib/puppet_x/b.rb", "b/lib/b.rb", "b/lib/puppet/util/b.rb",
                  "b/lib/puppet/type/t.rb", "b/lib/puppet/provider/t/p.rb", "b/lib/puppet/functions/f.rb",
                  "b/lib/puppet/version.rb"}) ==
          std::vector<std::string>{"a/lib/facter/f.rb", "b/lib/puppet_x/b.rb", "b/lib/b.rb",
                                   "b/lib/puppet/util/b.rb", "b/lib/puppet/version.rb"});
}

TEST_CASE("facts of a catalog leave out the Ruby of stdlib that the agent does not need", "[agentless]") {
    const auto code =
        fact_test_files({"a/lib/facter/package_provider.rb", "stdlib/lib/facter/package_provider.rb",
                         "stdlib/lib/facter/pe_version.rb", "stdlib/lib/facter/root_home.rb"});
    CHECK(fact_test_paths(*catalog_facts_question(code, false).files) ==
          std::vector<std::string>{"a/lib/facter/package_provider.rb", "stdlib/lib/facter/pe_version.rb"});
    CHECK(facts_question(code, {}, false).files->size() == 4);
}
