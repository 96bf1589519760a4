#include "language/loaders/parsed_files.hpp"

#include "support/files.hpp"
#include "support/files/file_cache.hpp"

namespace volley {
namespace {

/// The trees outlive whatever static object still refers to them when the process ends.
FileCache<CheckedProgram>& all_parsed_files() {
    static auto* const files = new FileCache<CheckedProgram>;
    return *files;
}

std::string parsed_file_key(const std::string& path, const LanguageSettings& settings,
                            const std::optional<std::string>& file_namespace) {
    std::string key = path;
    key += '\0';
    key += static_cast<char>('0' + static_cast<int>(settings.strict));
    key += settings.tasks ? 'T' : '-';
    if (file_namespace) key += "@" + *file_namespace;
    return key;
}

}  // namespace

std::shared_ptr<const CheckedProgram> parsed_file(const std::string& path, const LanguageSettings& settings,
                                                  const std::optional<std::string>& file_namespace) {
    return parsed_file(path, FileStamp::of(path), settings, file_namespace);
}

std::shared_ptr<const CheckedProgram> parsed_file(const std::string& path, const FileStamp& stamp,
                                                  const LanguageSettings& settings,
                                                  const std::optional<std::string>& file_namespace) {
    return all_parsed_files().get(
        parsed_file_key(path, settings, file_namespace), stamp,
        [&] { return read_file(path, "Puppet code"); },
        [&](std::string text) {
            CheckOptions options{
                .file = path, .epp = path.ends_with(".epp"), .file_namespace = file_namespace};
            return std::make_shared<const CheckedProgram>(
                check_program(std::move(text), settings, std::move(options)));
        });
}

}  // namespace volley
