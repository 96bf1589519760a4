#pragma once

#include <map>
#include <string>
#include <vector>

#include "language/evaluator/environment.hpp"

namespace volley::test {

/// An environment's files in memory: path below the environment -> content.
class CaseHost final : public LanguageHost {
public:
    explicit CaseHost(std::map<std::string, std::string> files = {});
    void log(const LogEntry& entry) override { logs.push_back(entry); }
    std::optional<SourceFile> function_source(std::string_view name) override {
        return source(name, "functions", ".pp");
    }
    std::optional<SourceFile> type_source(std::string_view name) override {
        return source(name, "types", ".pp");
    }
    std::optional<SourceFile> manifest_source(std::string_view name) override;
    std::optional<SourceFile> resource_type_source(std::string_view name) override;
    std::optional<SourceFile> module_file(std::string_view kind, std::string_view name) override;
    std::optional<std::string> module_path(std::string_view name) override;

    HieraSettings hiera() override { return data; }

    std::vector<LogEntry> logs;
    HieraSettings data;  // the files and no hierarchy, unless a test sets them

private:
    std::optional<SourceFile> source(std::string_view name, const std::string& folder,
                                     const std::string& ending) const;
    std::optional<SourceFile> at(const std::string& path) const;
    std::map<std::string, std::string> files_;
};

}  // namespace volley::test
