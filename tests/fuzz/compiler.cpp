// Any text compiles to a catalog or ends in an error, within the limits. It finds a module beside it, so that
// classes, defined types, functions and templates are loaded too.
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "apply/catalog/catalog.hpp"
#include "apply/compiler/compile.hpp"
#include "language/errors.hpp"
#include "tests/fuzz/bounded.hpp"

namespace {

class FuzzModules final : public volley::LanguageHost {
public:
    std::optional<SourceFile> manifest_source(std::string_view name) override {
        if (name == "m") return file("class m($p = 'd') { m::d { $p: } contain m::s }", "init.pp");
        if (name == "m::s")
            return file("class m::s inherits m { File { mode => '1' } file { '/m': } }", "s.pp");
        if (name == "m::d") return file("define m::d($q = $title) { @notify { $q: tag => $name } }", "d.pp");
        return std::nullopt;
    }
    std::optional<SourceFile> function_source(std::string_view name) override {
        if (name == "m::f") return file("function m::f($a, *$r) { [$a] + $r }", "f.pp");
        return std::nullopt;
    }
    std::optional<SourceFile> type_source(std::string_view name) override {
        if (name == "m::t") return file("type M::T = Variant[Integer, Array[M::T]]", "t.pp");
        return std::nullopt;
    }
    std::optional<SourceFile> module_file(std::string_view, std::string_view name) override {
        if (name == "m/t.epp") return file("<%- | $p = 1 | -%>\n<%= $p -%>", "t.epp");
        return std::nullopt;
    }

private:
    static SourceFile file(std::string text, const std::string& name) {
        return {std::move(text), "/m/" + name, nullptr};
    }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    volley::CompileRequest request;
    request.manifests.push_back({std::string(reinterpret_cast<const char*>(data), size), ""});
    request.facts =
        volley::HashBuilder().set("os", volley::HashBuilder().set("name", "debian").build()).build();
    request.limits.resources = 2000;
    request.limits.generations = 50;
    request.limits.collector_steps = 100'000;
    FuzzModules host;
    try {
        const volley::Compilation result =
            volley::compile(request, host, volley::testing::bounded_settings());
        static_cast<void>(volley::catalog_to_json(result.catalog)
                              .dump(-1, ' ', false, volley::Json::error_handler_t::replace));
    } catch (const volley::LanguageError&) {
    }
    return 0;
}
