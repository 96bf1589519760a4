#include "transports/shell/placement.hpp"

#include <fmt/format.h>

#include <set>

namespace volley::transports {

namespace {

std::string below(const std::string& remote) { return "\"$_vd\"/" + program_word(remote); }

// Folders that the entries need, parents first.
std::set<std::string> folders_of(const std::vector<PayloadEntry>& entries) {
    std::set<std::string> folders;
    for (const PayloadEntry& entry : entries) {
        if (entry.is_directory && entry.remote != ".") folders.insert(entry.remote);
        for (std::size_t at = entry.remote.find('/'); at != std::string::npos; at = entry.remote.find('/', at + 1))
            folders.insert(entry.remote.substr(0, at));
    }
    return folders;
}

void make_folders(Program& program, const std::vector<PayloadEntry>& entries) {
    std::string command;
    for (const std::string& folder : folders_of(entries)) command += " " + below(folder);
    if (!command.empty()) program.require("mkdir -p --" + command, "MKDIR_ERROR");
}

// New files have 0666 less the umask; only what differs from 0644 is worth a process. Directories come last and
// deepest first: one may be read-only.
void set_modes(Program& program, const std::vector<PayloadEntry>& entries) {
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
        if (entry->mode == (entry->is_directory ? 0755U : 0644U)) continue;
        program.require(fmt::format("chmod {:o} {}", entry->mode, below(entry->remote)), "CHMOD_ERROR");
    }
}

std::unique_ptr<Input> place_concatenated(Program& program, const std::vector<PayloadEntry>& entries, bool counted) {
    make_folders(program, entries);
    auto body = std::make_unique<SequenceInput>();
    std::size_t files = 0;
    for (const PayloadEntry& entry : entries) {
        body->add(entry);
        files += entry.is_directory ? 0 : 1;
    }
    if (files == 1) {
        for (const PayloadEntry& entry : entries)
            if (!entry.is_directory) take_file(program, below(entry.remote), entry.size, counted);
    } else if (files > 1) {
        take_file(program, "\"$_vd\"/.volley-body", body->size(), counted);
        std::uintmax_t at = 1;
        for (const PayloadEntry& entry : entries) {
            if (entry.is_directory) continue;
            program.require(fmt::format("tail -c +{} \"$_vd\"/.volley-body | head -c {} >{}", at, entry.size,
                                        below(entry.remote)),
                            "WRITE_ERROR");
            at += entry.size;
        }
        program.require("rm -f \"$_vd\"/.volley-body", "WRITE_ERROR");
    }
    set_modes(program, entries);
    return body;
}

}  // namespace

void take_file(Program& program, const std::string& word, std::uintmax_t size, bool counted) {
    // Never head on a pipe that goes on: some read ahead. On a terminal nothing follows.
    const std::string take = counted ? fmt::format("head -c {}", size) : std::string("cat");
    program.require(fmt::format("{} >{}", size == 0 ? ":" : take, word), "WRITE_ERROR");
    // A connection that breaks looks like the end of the file.
    program.add(fmt::format("[ $(wc -c <{}) -eq {} ] || _vf WRITE_ERROR ''", word, size));
}

std::unique_ptr<Input> place_files(Program& program, std::vector<PayloadEntry> entries, Packing packing,
                                   bool counted) {
    if (packing == Packing::Concatenated) return place_concatenated(program, entries, counted);
    program.add("command -v tar >&2 || _vf NO_TAR ''");
    program.require("tar -xpf - -C \"$_vd\"", "WRITE_ERROR");
    return make_tar_input(std::move(entries));
}

}  // namespace volley::transports
