#include "apply/agent/facts/modules/code_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "apply/agent/checksums/digest.hpp"
#include "apply/agent/machine/files.hpp"
#include "apply/agent/values/errors.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

constexpr std::string_view folder_prefix = "facts-";
constexpr std::string_view unfinished_prefix = ".facts-";
constexpr std::time_t day = 86400;

void check_path(const std::string& path) {
    const std::vector<std::string> words = split(path, '/');
    const bool leads_out = std::any_of(words.begin(), words.end(), [](const std::string& word) {
        return word.empty() || word == "." || word == "..";
    });
    if (leads_out) throw ApplyError("'" + path + "' is not a path below a folder");
}

std::string key_of(const std::vector<FactFile>& files, const std::map<std::string, std::string>& own) {
    std::string text;
    for (const FactFile& file : files)
        text += file.path + '\0' + file.checksum + '\0' + std::to_string(file.mode) + '\n';
    for (const auto& [name, content] : own) text += name + '\0' + content + '\n';
    return digest_of("sha256", text).substr(0, 32);
}

bool is_whole(const std::string& folder, const std::vector<FactFile>& files,
              const std::map<std::string, std::string>& own) {
    const auto has = [&](const std::string& path, const std::string& checksum) {
        const std::string place = folder + "/" + path;
        const auto stat = file_stat(place, false);
        return stat && stat->kind == FileKind::File && digest_of("sha256", read_whole(place)) == checksum;
    };
    return is_directory(folder) &&
           std::all_of(files.begin(), files.end(),
                       [&](const FactFile& file) { return has(file.path, file.checksum); }) &&
           std::all_of(own.begin(), own.end(), [&](const auto& entry) {
               return has(entry.first, digest_of("sha256", entry.second));
           });
}

void write_all(const std::string& folder, const std::vector<FactFile>& files,
               const std::map<std::string, std::string>& own, const FetchContents& fetch) {
    std::vector<std::string> wanted;
    for (const FactFile& file : files) wanted.push_back(file.checksum);
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    const std::map<std::string, std::string> contents = fetch(wanted);
    const auto write = [&](const std::string& path, const std::string& content, unsigned mode) {
        const std::string place = folder + "/" + path;
        make_folders(parent_of(place), 0700);
        replace_content(place, content, mode);
    };
    for (const FactFile& file : files) {
        const std::string& content = contents.at(file.checksum);
        if (digest_of("sha256", content) != file.checksum)
            throw ApplyError("The content of " + file.path + " did not arrive as it was sent");
        write(file.path, content, (file.mode & 0111U) != 0 ? 0700 : 0600);
    }
    for (const auto& [name, content] : own) write(name, content, 0600);
}

void remove_old(const std::string& state_folder, const std::string& used) {
    const std::time_t now = std::time(nullptr);
    for (const std::string& name : names_in(state_folder)) {
        const bool old_code = name.starts_with(folder_prefix) && name != used;
        if (!old_code && !name.starts_with(unfinished_prefix)) continue;
        const std::string path = state_folder + "/" + name;
        const auto stat = file_stat(path, false);
        if (stat && now - stat->changed.tv_sec > (old_code ? 30 * day : day)) remove_tree(path);
    }
}

}  // namespace

std::string code_folder(const std::string& state_folder, const std::vector<FactFile>& files,
                        const std::map<std::string, std::string>& own, const FetchContents& fetch) {
    for (const FactFile& file : files) check_path(file.path);
    make_folders(state_folder, 0700);
    const std::string name = std::string(folder_prefix) + key_of(files, own);
    std::string folder = state_folder + "/" + name;
    if (is_whole(folder, files, own)) {
        ::utimensat(AT_FDCWD, folder.c_str(), nullptr, 0);  // it is in use
        return folder;
    }
    std::string building = state_folder + "/" + std::string(unfinished_prefix) + "XXXXXX";
    if (::mkdtemp(building.data()) == nullptr) throw SystemError(errno, building);
    try {
        write_all(building, files, own, fetch);
        remove_tree(folder);  // what is there is not whole
        // Another run may have been faster; what it made is as good.
        if (std::rename(building.c_str(), folder.c_str()) != 0) {
            if (!is_whole(folder, files, own)) throw SystemError(errno, folder);
            remove_tree(building);
        }
    } catch (...) {
        remove_tree(building);
        throw;
    }
    remove_old(state_folder, name);
    return folder;
}

}  // namespace volley::agent
