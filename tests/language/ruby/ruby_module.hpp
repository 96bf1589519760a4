#pragma once

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "language/compile.hpp"
#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/loaders/disk_host.hpp"
#include "language/text/text.hpp"
#include "support/process/child_process.hpp"

namespace volley::testing {

/// An environment with one module, "m", whose files a test writes.
class RubyModule {
public:
    RubyModule() {
        std::string name = (std::filesystem::temp_directory_path() / "volley-ruby-XXXXXX").string();
        root_ = ::mkdtemp(name.data());
        std::filesystem::create_directories(root_ / "production/modules/m/lib/puppet");
    }
    ~RubyModule() { std::filesystem::remove_all(root_); }
    RubyModule(const RubyModule&) = delete;
    RubyModule& operator=(const RubyModule&) = delete;

    void write(const std::string& path, const std::string& text) const {
        const std::filesystem::path file = root_ / "production/modules/m" / path;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << text;
    }
    void newer(const std::string& name, const std::string& body) const {
        write("lib/puppet/functions/m/" + name + ".rb",
              "Puppet::Functions.create_function(:'m::" + name + "') do\n" + body + "\nend\n");
    }
    void older(const std::string& name, const std::string& options, const std::string& body) const {
        write("lib/puppet/parser/functions/" + name + ".rb",
              "module Puppet::Parser::Functions\n  newfunction(:" + name + ", " + options + ") do |args|\n" +
                  body + "\n  end\nend\n");
    }
    /// The value as the language writes it, or the message of the error: what the worker makes of it, and
    /// native Ruby where it can, must be the same.
    std::string run(const std::string& code, LanguageSettings settings = {}) {
        settings.native_ruby = true;
        const std::string native = run_once(code, settings);
        const std::string native_logs = logs;
        settings.native_ruby = false;
        std::string result = run_once(code, settings);
        if (settings.ruby) {
            INFO(code);
            CHECK(native == result);
            CHECK(native_logs == logs);
        }
        return result;
    }
    /// "#<Volley::Template:0x00007f41fdd84ed8" is another one each time.
    static std::string without_addresses(std::string text) {
        for (std::size_t at = text.find(":0x"); at != std::string::npos; at = text.find(":0x", at + 1))
            text.erase(at, std::min(text.find_first_of(" >", at), text.size()) - at);
        return text;
    }
    /// Without a Ruby process.
    std::string run_natively(const std::string& code) {
        LanguageSettings settings;
        settings.ruby = false;
        return run_once(code, settings);
    }
    std::string run_once(const std::string& code, LanguageSettings settings) {
        logs.clear();
        try {
            const auto disk = std::make_shared<DiskEnvironment>(DiskEnvironmentOptions{
                .name = "production", .environmentpath = {root_}, .modulepath = {}, .hiera_config = {}});
            DiskHost host(disk, settings, [this](const LogEntry& entry) { logs += entry.message + "\n"; });
            Environment environment(host, settings);
            Evaluator evaluator(environment);
            return to_program_text(evaluator.run(compile_program(code, environment)));
        } catch (const LanguageError& error) {
            std::string text = error.what();
            for (std::size_t at = text.find(root_.string()); at != std::string::npos;
                 at = text.find(root_.string()))
                text.replace(at, root_.string().size(), "<root>");
            return without_addresses(std::move(text));
        }
    }
    std::string logs;

private:
    std::filesystem::path root_;
};

inline constexpr const char* calling = "Evaluation Error: Error while evaluating a Function Call, ";

inline bool no_ruby() {
    if (!find_program("ruby").empty()) return false;
    WARN("there is no ruby on PATH");
    return true;
}

}  // namespace volley::testing
