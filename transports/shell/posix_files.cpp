// Files and directories to and from a POSIX target, over the same conversation as everything else.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "support/text.hpp"
#include "transports/errors.hpp"
#include "transports/shell/files/receiver.hpp"
#include "transports/shell/files/transfer.hpp"
#include "transports/shell/posix_shell.hpp"

namespace volley::transports {

namespace fs = std::filesystem;

std::string own_name(const fs::path& path) {
    std::string name =
        path.filename().empty() ? path.parent_path().filename().string() : path.filename().string();
    if (name.empty() || name == "." || name == ".." || name == "/")
        throw file_error(fmt::format("'{}' does not name a file or directory", path.string()), "COPY_ERROR");
    return name;
}

void choose_destination(Program& program, const std::string& remote, const std::string& name) {
    program.set("_vt2", remote);
    program.set("_vb", name);
    program.add("[ ! -d \"$_vt2\" ] || _vt2=${_vt2%/}/$_vb");
    program.add("[ ! -d \"$_vt2\" ] || _vf MV_ERROR \"$_vt2 already exists and is a directory\"");
    program.add("case $_vt2 in */*) _vd=${_vt2%/*}/ ;; *) _vd= ;; esac");
    // ls prints the reason without our temporary name.
    program.add("[ -d \"${_vd:-.}\" ] || { _ve=$(ls -d -- \"$_vd\" 2>&1); _vf WRITE_ERROR \"$_ve\"; }");
    program.add("_vd=$_vd.volley-" + random_uuid());
    program.add("trap 'rm -rf \"$_vd\"' EXIT");
    program.add("umask 077");  // nobody else reads it before it has its own mode
}

void rename_to_destination(Program& program) {
    program.require("mv -f -- \"$_vd\" \"$_vt2\"", "MV_ERROR");
    program.finish("0");
}

namespace {

// tar would follow a link to a directory above it again and again; two of them fill any disk. The find of GNU
// reports such links; others go round as tar does, until a path is too long.
std::string refuse_loops() {
    return "_ve=$(LC_ALL=C find -L . -name . 2>&1 >/dev/null | "
           "sed -n '/^find: File system loop detected; /{s///;p;q;}' 2>/dev/null); "
           "[ -z \"$_ve\" ] || _vf DOWNLOAD_ERROR \"a symbolic link leads back to a directory above it: "
           "$_ve\"; ";
}

// The file errors of an action, with what was being done.
TransportError explained(const TransportError& error, const std::string& doing) {
    if (error.info().kind() != "puppetlabs.tasks/task_file_error") return error;
    return file_error(doing + error.info().msg(), error.info().issue_code());
}

}  // namespace

Task<void> PosixShell::upload(fs::path local, std::string remote, RunOptions options) {
    const std::string doing =
        fmt::format("Could not upload '{}' to '{}' on {}: ", local.string(), remote, options_.target);
    try {
        auto sending = send(local, remote, options);
        co_await std::move(sending);
    } catch (const TransportError& error) {
        throw explained(error, doing);
    }
}

Task<void> PosixShell::send(const fs::path& local, const std::string& remote, const RunOptions& options) {
    const std::string name = own_name(local);
    const PayloadEntry entry = payload_entry(local, name, "WRITE_ERROR");
    FileCopier* const copier = escalation(options) ? nullptr : connection_.copier();
    if (copier != nullptr) {
        auto copying = upload_by_copier(*copier, local, remote);
        co_await std::move(copying);
        co_return;
    }
    if (!entry.is_directory) {
        auto file = upload_file(entry, remote, options);
        co_await std::move(file);
        co_return;
    }
    const std::vector<PayloadEntry> entries = payload_tree(local, "WRITE_ERROR");
    const bool with_tar = !no_tar_ && !options_.tty;
    if (with_tar) {
        bool sent = true;
        try {
            auto tree = upload_tree(entries, name, remote, options, Packing::Tar);
            co_await std::move(tree);
        } catch (const TransportError& error) {
            if (error.info().issue_code() != "NO_TAR") throw;
            sent = false;
        }
        if (sent) co_return;
        no_tar_ = true;
    }
    auto tree = upload_tree(entries, name, remote, options, Packing::Concatenated);
    co_await std::move(tree);
}

Task<void> PosixShell::upload_file(const PayloadEntry& entry, std::string remote, const RunOptions& options) {
    const std::optional<Escalation> other_user = escalation(options);
    const Marker marker;
    Program program(marker);
    program.add(program.start());
    if (other_user && options_.change_directory) program.add("cd");
    choose_destination(program, remote, entry.remote);
    take_file(program, "\"$_vd\"", entry.size, options_.tty);
    program.require(fmt::format("chmod {:o} \"$_vd\"", entry.mode), "CHMOD_ERROR");
    rename_to_destination(program);

    SequenceInput body;
    body.add(entry);
    Conversation::Settings settings(marker, program.text());
    settings.body = &body;
    settings.transfer_code = "WRITE_ERROR";
    settings.escalation = other_user ? &*other_user : nullptr;
    settings.tty = options_.tty;
    auto run = run_program(settings, {});
    co_await std::move(run);
}

Task<void> PosixShell::upload_tree(std::vector<PayloadEntry> entries, std::string name, std::string remote,
                                   const RunOptions& options, Packing packing) {
    const std::optional<Escalation> other_user = escalation(options);
    const Marker marker;
    Program program(marker);
    program.add(program.start());
    if (other_user && options_.change_directory) program.add("cd");
    choose_destination(program, remote, name);
    program.require("mkdir -- \"$_vd\"", "MKDIR_ERROR");
    program.add("umask 022");  // what is in it needs no mode of its own for that
    const auto body = place_files(program, std::move(entries), packing, options_.tty);
    rename_to_destination(program);

    Conversation::Settings settings(marker, program.text());
    settings.body = body.get();
    settings.transfer_code = "WRITE_ERROR";
    settings.escalation = other_user ? &*other_user : nullptr;
    settings.tty = options_.tty;
    auto run = run_program(settings, {});
    co_await std::move(run);
}

Task<fs::path> PosixShell::download(std::string remote, fs::path directory, RunOptions options) {
    const std::string doing = fmt::format("Could not download '{}' from {}: ", remote, options_.target);
    FileCopier* const copier = escalation(options) ? nullptr : connection_.copier();
    for (;;) {
        try {
            auto receiving = copier != nullptr ? download_by_copier(*copier, remote, directory)
                                               : receive(remote, directory, options);
            co_return co_await std::move(receiving);
        } catch (const TransportError& error) {
            if (error.info().issue_code() != "NO_TAR" || no_tar_) throw explained(error, doing);
            no_tar_ = true;
        }
    }
}

Task<fs::path> PosixShell::receive(const std::string& remote, const fs::path& directory,
                                   const RunOptions& options) {
    const std::optional<Escalation> other_user = escalation(options);
    const Marker marker;
    Program program(marker);
    program.set("_vp", remote);
    program.add("case $_vp in -*) _vp=./$_vp ;; esac");
    program.add("exec 4>&1");
    if (no_tar_) add_archiver(program);
    if (other_user && options_.change_directory) program.add("cd");
    // One line has its kind and its mode; -L because links are followed (SH-023).
    program.add("_vm=$(ls -ldL \"$_vp\" 2>&1) || _vf DOWNLOAD_ERROR \"$_vm\"");
    program.add("_vm=${_vm%% *}");
    program.add(program.message("kind", "\"$_vm\"", 4));
    program.add(program.start());
    program.add(
        "if [ ! -d \"$_vp\" ]; then _ve=$(cat \"$_vp\" 2>&1 >&4) || _vf DOWNLOAD_ERROR \"$_ve\"; "
        "else _ve=$(cd \"$_vp\" 2>&1) || _vf DOWNLOAD_ERROR \"$_ve\"; cd \"$_vp\"; " +
        refuse_loops() +
        std::string(no_tar_ ? "_va"
                            // GNU tar reports "changed" with status 1, and what it sent is complete.
                            : "command -v tar >&2 || _vf NO_TAR ''; _ve=$(tar -chf - . 2>&1 >&4) || "
                              "case $_ve in *'changed as we read it'*) ;; "
                              "*) _vf DOWNLOAD_ERROR \"$_ve\" ;; esac") +
        "; fi");
    program.finish("0");

    Receiver receiver(directory, own_name(remote));
    Conversation::Settings settings(marker, program.text());
    settings.sink = &receiver;
    settings.transfer_code = "DOWNLOAD_ERROR";
    settings.escalation = other_user ? &*other_user : nullptr;
    settings.tty = options_.tty;
    settings.on_message = [&receiver](std::string_view message, std::string_view text) {
        if (message == "kind") receiver.expect(text);
    };
    auto run = run_program(settings, {});
    const ExitStatus status = co_await std::move(run);
    if (status.code != 0) throw file_error("the transfer was interrupted", "DOWNLOAD_ERROR");
    const std::function<fs::path()> keep = receiver.completion();
    auto work = runtime_.blocking(keep);
    co_return co_await std::move(work);
}

}  // namespace volley::transports
