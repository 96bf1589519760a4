// Hiera of any bytes: the first byte says whether they are hiera.yaml, YAML data, or a HOCON text.
#include "language/compile.hpp"
#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/lookup/data/data_store.hpp"
#include "language/lookup/data/hocon.hpp"
#include "support/error.hpp"

using namespace volley;

namespace {

class FuzzFiles final : public lookup::DataFiles {
public:
    FuzzFiles(std::string config, std::string data) : config_(std::move(config)), data_(std::move(data)) {}
    std::optional<FileStamp> stamp(const std::string& path) override {
        return path.ends_with(".yaml") ? std::optional(FileStamp{.size = 1}) : std::nullopt;
    }
    std::string read(const std::string& path) override { return path == "/env/hiera.yaml" ? config_ : data_; }
    std::vector<std::string> glob(const std::string&) override { return {"/env/data/common.yaml"}; }
    std::optional<std::string> environment_variable(const std::string&) override { return std::nullopt; }

private:
    const std::string config_;
    const std::string data_;
};

class FuzzHost final : public LanguageHost {
public:
    explicit FuzzHost(std::shared_ptr<lookup::DataFiles> files) {
        settings_.store = std::make_shared<lookup::DataStore>(std::move(files));
        settings_.environment_root = "/env";
    }
    HieraSettings hiera() override { return settings_; }

private:
    HieraSettings settings_;
};

void look_up_all(std::string config, std::string data) {
    FuzzHost host(std::make_shared<FuzzFiles>(std::move(config), std::move(data)));
    Environment environment(host);
    Evaluator evaluator(environment);
    evaluator.top()->set("facts", HashBuilder().set("os", "x").build());
    for (const char* merge : {"first", "unique", "hash", "deep"}) {
        LookupRequest request;
        request.names = {"k", "a.b.0"};
        request.merge = Value(merge);
        try {
            environment.lookup().find(evaluator, evaluator.top(), request);
        } catch (const LanguageError&) {
            continue;
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
    if (data[0] % 3 == 0) {
        look_up_all(text, "k: [1, {a: '%{facts.os}'}]\na: {b: [x]}\n");
    } else if (data[0] % 3 == 1) {
        look_up_all("version: 5\nhierarchy: [{name: a, paths: [a.yaml, b.yaml]}]\n", text);
    } else {
        try {
            lookup::hocon_value(text);
        } catch (const LanguageError&) {
            return 0;
        }
    }
    return 0;
}
