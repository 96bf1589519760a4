#include "support/crypto/pkcs7.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "inventory/plugins/plugin.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace volley::inventory::plugins {
namespace {

constexpr std::string_view pkcs7_prefix = "ENC[PKCS7,";

std::filesystem::path pkcs7_path(const PluginContext& context, const Json& options, const char* key) {
    return expand_path(plugin_text(options, key, std::string("keys/") + key + ".pkcs7.pem"), context.project);
}

/// A project that has no keys yet: the message says how to make them.
std::string read_pkcs7_key(const PluginContext& context, const Json& options, const char* key,
                           const char* what) {
    const std::filesystem::path path = pkcs7_path(context, options, key);
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) return read_file(path, what);
    throw Error("bolt.plugin/key-error", std::string("There is no ") + what + " at " + path.string() +
                                             ": run 'volley secret createkeys' to make a pair of keys");
}

/// PLG-034. `volley secret decrypt` and references.
Json pkcs7_decrypt_value(const PluginContext& context, const Json& options) {
    const std::string given = required_text("pkcs7", options, "encrypted_value");
    const std::string_view text = trim(given);
    if (!text.starts_with(pkcs7_prefix) || !text.ends_with(']'))
        throw Error("bolt.plugin/validation-error", "the encrypted value must have the form ENC[PKCS7,...]");
    const auto bytes = base64_decode(text.substr(pkcs7_prefix.size(), text.size() - pkcs7_prefix.size() - 1));
    if (!bytes) throw Error("bolt.plugin/validation-error", "the encrypted value is not base64");
    return pkcs7_decrypt(*bytes, read_pkcs7_key(context, options, "private_key", "private key"));
}

Json pkcs7_encrypt_value(const PluginContext& context, const Json& options) {
    const std::string text = required_text("pkcs7", options, "plaintext_value");
    const std::string certificate = read_pkcs7_key(context, options, "public_key", "public key");
    return std::string(pkcs7_prefix) + base64_encode(pkcs7_encrypt(text, certificate)) + "]";
}

int pkcs7_key_size(const Json& options) {
    const auto given = options.find("keysize");
    if (given == options.end()) return 2048;
    const std::string text = given->is_string() ? given->get<std::string>() : given->dump();
    const int bits = std::atoi(text.c_str());
    if (bits < 1024 || bits > 16384)
        throw Error("bolt/validation-error", "keysize must be between 1024 and 16384 bits");
    return bits;
}

/// Adds a line to a .gitignore unless one of those there covers the path (or says on purpose that it does
/// not). False when it was there, or the file cannot be written.
bool ignore_in_git(const std::filesystem::path& file, const std::string& entry) {
    std::error_code ignored;
    std::string text = std::filesystem::exists(file, ignored) ? read_file(file, ".gitignore") : std::string();
    const std::filesystem::path path(entry);
    const std::string name = path.filename().string();
    const std::string folder = path.parent_path().generic_string();
    for (const std::string& each : split(text, '\n')) {
        std::string_view line = trim(each);
        if (line.starts_with('!') || line.starts_with('/')) line.remove_prefix(1);
        if (line.ends_with('/')) line.remove_suffix(1);
        const bool by_pattern = line == "*.pem" || line == "*.pkcs7.pem" || line == folder + "/*";
        if (!line.empty() && (line == entry || line == name || line == folder || by_pattern)) return false;
    }
    if (!text.empty() && !text.ends_with('\n')) text += '\n';
    try {
        write_file_atomically(file, text + entry + "\n");
    } catch (const Error&) {
        return false;
    }
    return true;
}

Json pkcs7_create_key_files(const PluginContext& context, const Json& options) {
    const auto private_path = pkcs7_path(context, options, "private_key");
    const auto public_path = pkcs7_path(context, options, "public_key");
    for (const auto& path : {private_path, public_path}) {
        std::error_code ignored;
        if (is_given(options, "force") || !std::filesystem::exists(path, ignored)) continue;
        throw Error("bolt.plugin/key-error",
                    "A key exists already at " + path.string() + "; --force replaces it");
    }
    const Pkcs7Keys keys = pkcs7_create_keys(pkcs7_key_size(options));
    for (const auto& path : {private_path, public_path})
        std::filesystem::create_directories(path.parent_path());
    write_file_atomically(private_path, keys.private_key, 0600);
    write_file_atomically(public_path, keys.certificate, 0644);
    std::string answer = "Created keys:\n  " + public_path.string() + "\n  " + private_path.string();
    const std::string entry = private_path.lexically_relative(context.project).generic_string();
    if (entry.empty() || entry.starts_with("..")) return answer;
    if (ignore_in_git(context.project / ".gitignore", entry))
        answer += "\nAdded " + entry + " to .gitignore: keep the private key out of version control.";
    return answer;
}

}  // namespace

const PluginSpec& pkcs7_plugin() {
    using Type = PluginSpec::Option::Type;
    static const PluginSpec spec{
        "pkcs7",
        {{Hook::ResolveReference, "Decrypt ciphertext with the project's PKCS7 keys.", pkcs7_decrypt_value},
         {Hook::SecretEncrypt, "Encrypt plaintext with the project's PKCS7 keys.", pkcs7_encrypt_value},
         {Hook::SecretDecrypt, "Decrypt ciphertext with the project's PKCS7 keys.", pkcs7_decrypt_value},
         {Hook::SecretCreateKeys, "Create a pair of PKCS7 keys for the project.", pkcs7_create_key_files}},
        false,
        Answers::OfTheUser,
        {{"encrypted_value"},
         {"plaintext_value"},
         {"private_key"},
         {"public_key"},
         {"keysize", Type::Integer},
         {"force", Type::Boolean}}};
    return spec;
}

}  // namespace volley::inventory::plugins
