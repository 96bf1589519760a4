#include "planner/record/action_identity.hpp"

#include <openssl/evp.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>

#include "language/errors.hpp"
#include "planner/procedure.hpp"
#include "planner/types/plan_types.hpp"
#include "support/crypto/digest.hpp"
#include "support/error.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t shortest_secret = 3;  // shorter texts are in everything

std::string arguments_text(const tasks::Arguments& arguments) {
    Json list = Json::array();
    for (const tasks::Argument& one : arguments) list.push_back(Json::array({one.name, *one.value}));
    return compact_json(list);
}

std::string environment_text(const std::vector<std::pair<std::string, std::string>>& environment) {
    std::string text;
    for (const auto& [name, value] : environment) {
        text += std::to_string(name.size()) + ":" + name + std::to_string(value.size()) + ":" + value;
    }
    return text;
}

/// What is special to each kind of action.
std::vector<std::string> action_parts(const Action& action) {
    if (const auto* command = std::get_if<CommandAction>(&action.what)) {
        return {command->command, environment_text(command->environment)};
    }
    if (const auto* script = std::get_if<ScriptAction>(&action.what)) {
        return {signed_text(script->arguments), environment_text(script->environment),
                script->named_arguments.value_or("")};
    }
    if (const auto* task = std::get_if<TaskAction>(&action.what)) {
        const auto& metadata = task->task->metadata;
        std::string placed;
        for (const auto& [name, files] : task->task->extra_files) {
            for (const transports::PlacedFile& file : files) placed += file.remote + "\n";
        }
        return {task->task->name, arguments_text(task->arguments), task->noop ? "noop" : "",
                metadata ? compact_json(*metadata) : "", placed};
    }
    if (const auto* upload = std::get_if<UploadAction>(&action.what)) return {upload->destination};
    if (const auto* download = std::get_if<DownloadAction>(&action.what)) {
        return {download->source, download->destination.string()};
    }
    if (const auto* own = std::get_if<ProcedureAction>(&action.what))
        return {own->procedure->object(), own->procedure->fingerprint()};
    return {};
}

std::string id_of(const ProjectKey& key, std::string_view text) { return key.signature(text).substr(0, 32); }

/// SHA-256 of what is added to it.
class ContentHash {
public:
    ContentHash() : context_(::EVP_MD_CTX_new(), &::EVP_MD_CTX_free) {
        if (!context_ || ::EVP_DigestInit_ex(context_.get(), ::EVP_sha256(), nullptr) != 1)
            throw std::bad_alloc();
    }
    void add(std::string_view bytes) { ::EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()); }
    /// With its length first: what follows cannot be taken for a part of it.
    void add_text(std::string_view text) {
        add(std::to_string(text.size()) + ":");
        add(text);
    }
    void add_content(const fs::path& file) {
        std::ifstream in(file, std::ios::binary);
        std::array<char, 65536> piece{};
        std::uint64_t size = 0;
        while (in.read(piece.data(), piece.size()) || in.gcount() > 0) {
            size += static_cast<std::uint64_t>(in.gcount());
            add({piece.data(), static_cast<std::size_t>(in.gcount())});
        }
        add_text(in.bad() ? "unreadable" : std::to_string(size));
    }
    std::string hex() {
        std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
        unsigned int size = 0;
        ::EVP_DigestFinal_ex(context_.get(), digest.data(), &size);
        return sha256_hex({reinterpret_cast<const char*>(digest.data()), size});
    }

private:
    std::unique_ptr<EVP_MD_CTX, decltype(&::EVP_MD_CTX_free)> context_;
};

/// The folders on the way to where we are, for links that lead back.
using FolderWay = std::vector<std::pair<dev_t, ino_t>>;

/// A file, or a folder with all that is below it, in an order of its own.
void add_tree(ContentHash& hash, const fs::path& path, const std::string& name, FolderWay& way) {
    hash.add_text(name);
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0) return hash.add_text("none");
    hash.add_text(std::to_string(found.st_mode & (S_IFMT | 0111U)));
    if (S_ISREG(found.st_mode)) return hash.add_content(path);
    if (!S_ISDIR(found.st_mode)) return;
    const std::pair<dev_t, ino_t> self{found.st_dev, found.st_ino};
    if (std::find(way.begin(), way.end(), self) != way.end()) return hash.add_text("around");
    way.push_back(self);
    std::error_code problem;
    std::vector<fs::path> entries;
    for (const auto& entry : fs::directory_iterator(path, problem)) entries.push_back(entry.path());
    std::sort(entries.begin(), entries.end());
    hash.add_text(std::to_string(entries.size()));
    for (const fs::path& entry : entries) add_tree(hash, entry, entry.filename().string(), way);
    way.pop_back();
}

/// Without one for a target whose options are not valid: its action fails and says why.
void append_address(std::string& text, const inventory::Target& target) {
    std::string host, port;
    try {
        host = target.host();
        if (const std::optional<int> number = target.port()) port = std::to_string(*number);
    } catch (const Error&) {
        host.clear();
    }
    append_signed(text, host);
    append_signed(text, port);
}

}  // namespace

std::vector<fs::path> files_of(const Action& action) {
    std::vector<fs::path> files;
    if (const auto* script = std::get_if<ScriptAction>(&action.what)) files.push_back(script->path);
    if (const auto* upload = std::get_if<UploadAction>(&action.what)) files.push_back(upload->source);
    if (const auto* own = std::get_if<ProcedureAction>(&action.what)) files = own->procedure->inputs();
    if (const auto* task = std::get_if<TaskAction>(&action.what)) {
        for (const tasks::Implementation& one : task->task->implementations) files.push_back(one.path);
        for (const auto& [name, placed] : task->task->extra_files) {
            for (const transports::PlacedFile& file : placed) files.push_back(file.local);
        }
    }
    return files;
}

std::string contents_digest(const std::vector<fs::path>& files) {
    ContentHash hash;
    FolderWay way;
    for (const fs::path& file : files) add_tree(hash, file, "", way);
    return hash.hex();
}

std::string action_key(const ProjectKey& key, const Action& action, const std::string& contents) {
    std::vector<std::string> parts{"action", std::string(action_name(action)), action.run_as.value_or(""),
                                   contents};
    for (std::string& part : action_parts(action)) parts.push_back(std::move(part));
    return id_of(key, signed_text(parts));
}

bool TargetIds::are_of_action(const Action& action) {
    const auto* task = std::get_if<TaskAction>(&action.what);
    return (task != nullptr && task->arguments_of != nullptr) ||
           std::holds_alternative<ProcedureAction>(action.what);
}

std::string TargetIds::of(const Action& action, const inventory::Target& target) {
    if (are_of_action(action)) return signed_id(action, target);
    // Its options are other ones, elsewhere in memory, as soon as a plan changes something that they depend
    // on.
    std::shared_ptr<const Json> options;
    try {
        options = target.options();
    } catch (const Error&) {
        return signed_id(action, target);
    }
    Known& known = known_[target.name()];
    if (known.options != options) known = {std::move(options), signed_id(action, target)};
    return known.id;
}

std::string TargetIds::signed_id(const Action& action, const inventory::Target& target) const {
    std::string text;
    text.reserve(256);
    append_signed(text, "target");
    append_signed(text, target.name());
    append_signed(text, target.transport());
    append_address(text, target);
    const auto* task = std::get_if<TaskAction>(&action.what);
    if (task != nullptr && task->arguments_of)
        append_signed(text, arguments_text(task->arguments_of->at(target.name())));
    // A catalog is made of them.
    if (std::holds_alternative<ProcedureAction>(action.what))
        append_signed(text, compact_json(target.vars()));
    return id_of(key_, text);
}

std::string identity_text(const Value& value) {
    if (value.is(Kind::Sensitive)) return "S" + identity_text(value.unwrap_sensitive());
    if (value.is_array()) {
        const NestingGuard nesting;
        std::string text = "A" + std::to_string(value.as_array().size()) + ":";
        for (const Value& item : value.as_array()) text += identity_text(item);
        return text;
    }
    if (value.is_hash()) {
        const NestingGuard nesting;
        std::string text = "H" + std::to_string(value.as_hash().size()) + ":";
        for (const Hash::Entry& entry : value.as_hash())
            text += identity_text(entry.key) + identity_text(entry.value);
        return text;
    }
    const std::string text = value.is_string() ? value.as_string() : compact_json(plan_json(value));
    return std::to_string(static_cast<int>(value.kind())) + "." + std::to_string(text.size()) + ":" + text;
}

void collect_secrets(const Json& value, std::vector<std::string>& secrets) {
    if (value.is_string()) {
        const std::string text = value.get<std::string>();
        if (text.size() >= shortest_secret) secrets.push_back(text);
    } else if (value.is_structured()) {
        for (const Json& item : value) collect_secrets(item, secrets);
    }
}

void collect_secrets(const Value& value, std::vector<std::string>& secrets) {
    if (value.is(Kind::Sensitive)) return collect_secrets(plan_json(value.unwrap_sensitive()), secrets);
    const NestingGuard nesting;
    if (value.is_array()) {
        for (const Value& item : value.as_array()) collect_secrets(item, secrets);
    } else if (value.is_hash()) {
        for (const Hash::Entry& entry : value.as_hash()) collect_secrets(entry.value, secrets);
    }
}

}  // namespace volley::planner
