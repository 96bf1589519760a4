#include "transports/shell/files/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "support/files.hpp"

namespace volley::transports {

namespace {

// The target's shell reads the program byte by byte: up to here that costs less than two processes.
constexpr std::uintmax_t longest_inline_file = 8 * 1024;

std::string below(const std::string& remote) { return "\"$_vd\"/" + program_word(remote); }

// Folders that the entries need, parents first.
std::set<std::string> folders_of(const std::vector<PayloadEntry>& entries) {
    std::set<std::string> folders;
    for (const PayloadEntry& entry : entries) {
        if (entry.is_directory && entry.remote != ".") folders.insert(entry.remote);
        for (std::size_t at = entry.remote.find('/'); at != std::string::npos;
             at = entry.remote.find('/', at + 1))
            folders.insert(entry.remote.substr(0, at));
    }
    return folders;
}

void make_folders(Program& program, const std::vector<PayloadEntry>& entries) {
    std::string command;
    for (const std::string& folder : folders_of(entries)) command += " " + below(folder);
    if (!command.empty()) program.require("mkdir -p --" + command, "MKDIR_ERROR");
}

// New files have 0666 less the umask; only what differs from 0644 is worth a process. Directories come last
// and deepest first: one may be read-only. The root of a tree is private until then.
void set_modes(Program& program, const std::vector<PayloadEntry>& entries) {
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
        const unsigned usual = entry->remote == "." ? 0700U : entry->is_directory ? 0755U : 0644U;
        if (entry->mode == usual) continue;
        program.require(fmt::format("chmod {:o} {}", entry->mode, below(entry->remote)), "CHMOD_ERROR");
    }
}

// A small text file travels in the program itself and is written by the shell: no process is needed for it.
bool is_small_text(const PayloadEntry& entry, std::string& content) {
    if (entry.text || entry.size > longest_inline_file) return false;
    content = read_file(entry.local, "file to send");
    return std::all_of(content.begin(), content.end(),
                       [](char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\t'; });
}

void place_one(Program& program, SequenceInput& body, const PayloadEntry& entry, bool counted) {
    std::string content;
    const std::string word = below(entry.remote);
    if (!is_small_text(entry, content)) {
        take_file(program, word, entry.size, counted);
        body.add(entry);
        return;
    }
    program.set("_vb", content);
    // When it fails, cat is asked for the system's reason, which not every shell prints.
    program.add("{ " + print_command("_vb") + "; } >" + word + " || { _ve=$( { " + print_command("_vb") +
                "; } | 2>&1 cat >" + word + ") || _vf WRITE_ERROR \"$_ve\"; }");
}

std::unique_ptr<Input> place_concatenated(Program& program, const std::vector<PayloadEntry>& entries,
                                          bool counted) {
    make_folders(program, entries);
    auto body = std::make_unique<SequenceInput>();
    std::size_t files = 0;
    for (const PayloadEntry& entry : entries) files += entry.is_directory ? 0 : 1;
    if (files == 1) {
        for (const PayloadEntry& entry : entries)
            if (!entry.is_directory) place_one(program, *body, entry, counted);
        set_modes(program, entries);
        return body;
    }
    for (const PayloadEntry& entry : entries) body->add(entry);
    if (files > 1) {
        take_file(program, "\"$_vd\"/.volley-body", body->size(), counted);
        std::uintmax_t at = 1;
        for (const PayloadEntry& entry : entries) {
            if (entry.is_directory) continue;
            program.require_pipeline(fmt::format("tail -c +{} \"$_vd\"/.volley-body | head -c {} >{}", at,
                                                 entry.size, below(entry.remote)),
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
