// Files through the connection's own copy program (SSH-020), with the same rules for names and wholeness.
#include <exception>

#include "support/text.hpp"
#include "transports/errors.hpp"
#include "transports/shell/files/receiver.hpp"
#include "transports/shell/files/transfer.hpp"
#include "transports/shell/posix_shell.hpp"

namespace volley::transports {

namespace fs = std::filesystem;

Task<void> PosixShell::upload_by_copier(FileCopier& copier, const fs::path& local,
                                        const std::string& remote) {
    const Marker marker;
    Program choose(marker);
    choose.add(choose.start());
    choose_destination(choose, remote, own_name(local));
    choose.add("trap - EXIT");
    choose.add(choose.message("temporary", "\"$_vd\""));
    choose.add(choose.message("destination", "\"$_vt2\""));
    choose.finish("0");
    std::string temporary;
    std::string destination;
    Conversation::Settings choosing(marker, choose.text());
    choosing.transfer_code = "COPY_ERROR";
    choosing.on_message = [&](std::string_view name, std::string_view text) {
        if (name == "temporary") temporary = text;
        if (name == "destination") destination = text;
    };
    auto asked = run_program(choosing, {});
    co_await std::move(asked);

    std::exception_ptr failure;
    try {
        auto copying = copier.upload(local, temporary);
        co_await std::move(copying);
    } catch (const TransportError&) {
        failure = std::current_exception();
    }
    const Marker second;
    Program rename(second);
    rename.add(rename.start());
    rename.set("_vd", temporary);
    rename.set("_vt2", destination);
    rename.add("trap 'rm -rf \"$_vd\"' EXIT");
    if (failure) {
        rename.finish("0");  // what was copied until then goes
    } else {
        rename_to_destination(rename);
    }
    Conversation::Settings renaming(second, rename.text());
    renaming.transfer_code = "COPY_ERROR";
    auto renamed = run_program(renaming, {});
    co_await std::move(renamed);
    if (failure) std::rethrow_exception(failure);
}

Task<fs::path> PosixShell::download_by_copier(FileCopier& copier, const std::string& remote,
                                              const fs::path& directory) {
    const std::string name = own_name(remote);
    DownloadFolder arrivals(directory);
    auto copying = copier.download(remote, arrivals.path());
    co_await std::move(copying);
    co_return arrivals.keep(name);
}

}  // namespace volley::transports
