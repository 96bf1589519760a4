// Configuration files of any bytes: the same text as bolt-project.yaml and as bolt-defaults.yaml.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "inventory/config/config.hpp"
#include "support/error.hpp"
#include "support/log.hpp"

using namespace volley;
using namespace volley::inventory;

namespace {

/// A folder for this process's files, made once.
const std::filesystem::path& folder() {
    static const std::filesystem::path path = [] {
        const auto made =
            std::filesystem::temp_directory_path() / ("volley-fuzz-" + std::to_string(::getpid()));
        std::filesystem::create_directories(made);
        return made;
    }();
    return path;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    log_to([](const LogRecord&) {}, LogLevel::Fatal);
    for (const char* name : {"bolt-project.yaml", "bolt-defaults.yaml"}) {
        std::ofstream(folder() / name, std::ios::binary)
            .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    }
    ProcessContext process;
    process.working_directory = folder();
    process.system_config = folder();
    process.environment = [](std::string_view) { return std::nullopt; };
    try {
        load_config(process, {});
    } catch (const Error&) {
        return 0;
    }
    return 0;
}
