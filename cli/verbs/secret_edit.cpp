#include <sys/stat.h>
#include <sys/wait.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cli/doctor/tracked_key.hpp"
#include "cli/run/session.hpp"
#include "cli/run/session_plugins.hpp"
#include "cli/terminal/secret_text.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/files/temporary_folder.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

constexpr auto secret_edit_options = context_options;

std::string editor_of(const inventory::ProcessContext& process) {
    for (const char* name : {"VISUAL", "EDITOR"}) {
        if (const auto chosen = process.environment(name); chosen && !trim(*chosen).empty()) return *chosen;
    }
    return "vi";
}

/// The editor has the terminal, and Ctrl-C is the editor's business, which is what system() is for.
void let_edit(const std::string& editor, const std::filesystem::path& copy,
              const std::filesystem::path& original) {
    const int status = std::system((editor + " " + shell_quote(copy.string())).c_str());
    if (status == 0) return;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    throw Error("bolt/cli-error", "The editor '" + editor + "' ended with status " + std::to_string(code) +
                                      ": " + original.string() + " stays as it was");
}

/// In memory where the system has a place for that, so that plain text does not come to a disk.
std::filesystem::path private_place() {
    std::error_code ignored;
    const std::filesystem::path memory = "/dev/shm";
    return std::filesystem::is_directory(memory, ignored) ? memory : temporary_files_folder();
}

int run_secret_edit(Session& session, const CommandLine& line) {
    if (!line.object) throw Error("bolt/cli-error", "Must specify a file to edit");
    const std::filesystem::path file = expand_path(*line.object, session.process().working_directory);
    const auto ask = [&session](inventory::Hook hook, const char* key, const std::string& text) {
        return session.plugins().call("pkcs7", hook, Json{{key, text}}).get<std::string>();
    };
    warn_of_tracked_key(session, "pkcs7");
    const std::string before = read_file(file, "file with secrets");
    const DecryptedText plain = decrypt_values(before, [&](const std::string& text) {
        return ask(inventory::Hook::SecretDecrypt, "encrypted_value", text);
    });
    const TemporaryFolder folder("volley-secret-", private_place());
    const std::filesystem::path copy = folder.path() / file.filename();
    write_file_atomically(copy, plain.text, 0600);
    let_edit(editor_of(session.process()), copy, file);
    const std::string edited = read_file(copy, "edited file");
    const std::string after = encrypt_values(edited, plain, [&](const std::string& text) {
        return ask(inventory::Hook::SecretEncrypt, "plaintext_value", text);
    });
    if (after == before) {
        session.out().print_message("Nothing was changed in " + file.string());
        return 0;
    }
    if (read_file(file, "file with secrets") != before)
        throw Error("bolt/file-error",
                    file.string() + " was changed by somebody else meanwhile: edit it again");
    struct stat status {};
    const unsigned mode = ::stat(file.c_str(), &status) == 0 ? status.st_mode & 0777 : 0600;
    write_file_atomically(file, after, mode);
    session.out().print_message("Wrote " + file.string());
    return 0;
}

}  // namespace

const Verb& secret_edit_verb() {
    static constexpr Verb verb{
        .noun = "secret",
        .action = "edit",
        .summary = "Edit a file with encrypted values",
        .usage = "secret edit <file> [options]",
        .description =
            "Opens a copy of the file in $VISUAL, $EDITOR or vi, with each ENC[PKCS7,...] decrypted as "
            "DEC(1)::PKCS7[value]!, and encrypts it again afterwards. A new secret is written as "
            "DEC::PKCS7[value]!. Values that were not changed keep their ciphertext. The copy is private, in "
            "memory where there is /dev/shm, and removed. When the editor fails, or a mark is broken, the "
            "file "
            "stays as it was.",
        .guide = "plugins",
        .examples = "volley secret edit data/common.yaml",
        .options = secret_edit_options,
        .needs_targets = false,
        .run = run_secret_edit,
    };
    return verb;
}

}  // namespace volley::cli
