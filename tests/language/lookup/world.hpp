#pragma once

#include <memory>
#include <string>
#include <vector>

#include "language/compile.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/lookup/data/data_store.hpp"
#include "language/lookup/explain.hpp"
#include "language/text/text.hpp"
#include "tests/language/lookup/memory_files.hpp"

namespace volley::tests {

/// An environment with data files in memory, below /env; modules are below /env/modules.
class LookupWorld final : public LanguageHost {
public:
    explicit LookupWorld(std::map<std::string, std::string> content) {
        for (auto& [path, text] : content) {
            const bool absolute = path.starts_with('/');
            files->files[absolute ? path : "/env/" + path] = std::move(text);
        }
        settings_.store = std::make_shared<lookup::DataStore>(files);
        settings_.environment_root = "/env";
    }

    void log(const LogEntry& entry) override { logs.push_back(entry.message); }
    HieraSettings hiera() override { return settings_; }
    std::optional<std::string> module_path(std::string_view name) override {
        const std::string path = "/env/modules/" + std::string(name);
        return files->stamp(path) ? std::optional(path) : std::nullopt;
    }

    /// The value of a program as text; for an error "! " and its message with the position.
    std::string run(const std::string& code, const LanguageSettings& settings = {}) {
        try {
            Environment environment(*this, settings);
            Evaluator evaluator(environment);
            evaluator.top()->set("kernel", "Linux");
            evaluator.top()->set("ifs", std::vector<Value>{"eth0", "eth1"});
            return to_program_text(evaluator.run(compile_program(code, environment)));
        } catch (const LanguageError& error) {
            return "! " + error.full_message();
        }
    }
    std::string explain(const std::string& key, bool options_only = false) {
        Environment environment(*this);
        Evaluator evaluator(environment);
        evaluator.top()->set("kernel", "Linux");
        lookup::Explainer explainer(options_only);
        LookupRequest request;
        request.names = {key};
        try {
            environment.lookup().find(evaluator, evaluator.top(), request, &explainer);
        } catch (const LookupError& error) {
            explainer.text_line(error.what());
        }
        return explainer.text();
    }

    std::shared_ptr<MemoryFiles> files = std::make_shared<MemoryFiles>();
    std::vector<std::string> logs;
    HieraSettings& settings() { return settings_; }

private:
    HieraSettings settings_;
};

}  // namespace volley::tests
