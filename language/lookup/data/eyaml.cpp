#include "language/lookup/data/eyaml.hpp"

#include "language/errors.hpp"
#include "language/lookup/adapter.hpp"
#include "language/lookup/data/data_store.hpp"
#include "language/lookup/interpolate.hpp"
#include "language/lookup/invocation.hpp"
#include "language/syntax/lexer/characters.hpp"
#include "support/crypto/pkcs7.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace volley::lookup {
namespace {

std::string eyaml_option(const Hash& options, const char* name) {
    const Value* value = options.find(name);
    return value && value->is_string() ? value->as_string() : std::string();
}

std::string eyaml_private_key(const Hash& options, Invocation& invocation) {
    DataStore& store = invocation.adapter.store();
    if (const std::string variable = eyaml_option(options, "pkcs7_private_key_env_var"); !variable.empty()) {
        if (auto key = store.files().environment_variable(variable)) return *std::move(key);
        throw LookupError("the environment variable " + variable + " is not set");
    }
    std::string path = eyaml_option(options, "pkcs7_private_key");
    if (path.empty()) path = "./keys/private_key.pkcs7.pem";
    return store.load(path, DataFormat::Text).as_string();
}

struct EyamlToken {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string_view scheme;  // empty: the default
    std::string base64;
};

/// "ENC[" [scheme ","] base64 "]" at or after `from`.
std::optional<EyamlToken> next_token(std::string_view text, std::size_t from) {
    for (std::size_t at = text.find("ENC[", from); at != std::string_view::npos;
         at = text.find("ENC[", at + 1)) {
        const std::size_t close = text.find(']', at);
        if (close == std::string_view::npos) return std::nullopt;
        std::string_view body = text.substr(at + 4, close - at - 4);
        EyamlToken token{at, close + 1, {}, {}};
        std::size_t word = 0;
        while (word < body.size() && is_word(body[word])) ++word;
        if (word > 0 && word < body.size() && body[word] == ',') {
            token.scheme = body.substr(0, word);
            body.remove_prefix(word + 1);
        }
        bool valid = !body.empty();
        for (const char c : body) {
            if (c == ' ' || c == '\n') continue;
            valid = valid && (is_word(c) || c == '+' || c == '/' || c == '=') && c != '_';
            token.base64 += c;
        }
        if (valid) return token;
    }
    return std::nullopt;
}

std::string eyaml_plain_text(const EyamlToken& token, const Hash& options, Invocation& invocation) {
    if (!token.scheme.empty() && lower(token.scheme) != "pkcs7")
        throw LookupError("the encryption method " + std::string(token.scheme) +
                          " is not supported, PKCS7 is");
    const auto bytes = base64_decode(token.base64);
    if (!bytes) throw LookupError("the text in ENC[...] is not base64");
    return pkcs7_decrypt(*bytes, eyaml_private_key(options, invocation));
}

Value decrypted_text(const std::string& text, const std::string& key, const Hash& options,
                     Invocation& invocation) {
    std::string result;
    std::size_t done = 0;
    try {
        while (const auto token = next_token(text, done)) {
            result.append(text, done, token->begin - done);
            result += eyaml_plain_text(*token, options, invocation);
            done = token->end;
        }
    } catch (const std::exception& error) {
        throw LookupError("hiera-eyaml backend error decrypting " + text + " when looking up " + key +
                          " in " + eyaml_option(options, "path") + ". Error was " + error.what());
    }
    if (done == 0) return interpolate(Value(text), invocation, true);
    result.append(text, done);
    if (result.ends_with('\n')) result.pop_back();
    if (!is_utf8(result)) throw LookupError("the decrypted value of " + key + " is not UTF-8");
    return interpolate(Value(std::move(result)), invocation, true);
}

}  // namespace

Value decrypted(const Value& value, const std::string& key, const Hash& options, Invocation& invocation) {
    const NestingGuard guard;
    if (value.is_string()) return decrypted_text(value.as_string(), key, options, invocation);
    if (value.is_array()) {
        std::vector<Value> items;
        for (const Value& item : value.as_array()) items.push_back(decrypted(item, key, options, invocation));
        return items;
    }
    if (!value.is_hash()) return value;
    HashBuilder hash;
    for (const auto& entry : value.as_hash()) {
        hash.set(interpolate(entry.key, invocation, true), decrypted(entry.value, key, options, invocation));
    }
    return hash.build();
}

}  // namespace volley::lookup
