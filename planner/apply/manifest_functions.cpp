#include "planner/apply/manifest_functions.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>
#include <thread>

#include "language/functions/builtin.hpp"
#include "language/serialization/json.hpp"
#include "planner/apply/puppetdb_access.hpp"
#include "planner/fibers/duration.hpp"
#include "planner/functions/plan_function.hpp"
#include "planner/functions/registry.hpp"
#include "planner/plan/plan_host.hpp"
#include "planner/types/plan_types.hpp"
#include "support/files.hpp"

namespace volley::planner {
namespace {

namespace fs = std::filesystem;
using Arguments = std::span<const Value>;

/// Functions of plans are errors in apply blocks (PLN-017).
Value only_in_plans(CallContext& context, Arguments) {
    fail_call_at(context, "PLAN_OPERATION_NOT_SUPPORTED_WHEN_COMPILING",
                 "Plan language function '" + std::string(context.name) +
                     "' cannot be used from declarative manifest code or apply blocks");
}

/// Functions that change the inventory are errors in apply blocks (APL-024).
Value refused_by_inventory(CallContext& context, Arguments) {
    throw EvalError("",
                    "The function '" + std::string(context.name) + "' is not callable within an apply block",
                    context.at);
}

Value manifest_target_part(const Value& target, const char* part) {
    return object_in<TargetObject>(target)->attribute(part).value_or(Value());
}
Value manifest_facts(CallContext&, Arguments arguments) {
    return manifest_target_part(arguments[0], "facts");
}
Value manifest_vars(CallContext&, Arguments arguments) { return manifest_target_part(arguments[0], "vars"); }

Value manifest_resource(CallContext&, Arguments arguments) {
    const Value known = manifest_target_part(arguments[0], "resources");
    const std::string reference =
        ResourceObject::reference(Evaluator::text(arguments[1]), arguments[2].as_string());
    const Value* found = known.is_hash() ? known.as_hash().find(reference) : nullptr;
    return found ? *found : Value();
}

/// PLN-015: an absolute path, or "module/path" in files/ or else in the module itself.
std::optional<fs::path> manifest_file(CallContext& context, const std::string& name) {
    LanguageHost& host = context.environment().host;
    if (auto file = host.module_file_path("files", name)) return *file;
    const std::size_t slash = name.find('/');
    if (slash == std::string::npos || slash == 0) return std::nullopt;
    const auto module = host.module_path(name.substr(0, slash));
    if (!module) return std::nullopt;
    std::error_code ignored;
    const fs::path path = join_inside(*module, name.substr(slash + 1));
    return fs::exists(path, ignored) ? std::optional(path) : std::nullopt;
}

Value manifest_file_exists(CallContext& context, Arguments arguments) {
    return manifest_file(context, arguments[0].as_string()).has_value();
}
Value manifest_file_readable(CallContext& context, Arguments arguments) {
    const auto found = manifest_file(context, arguments[0].as_string());
    return found && ::access(found->c_str(), R_OK) == 0;
}
Value manifest_file_read(CallContext& context, Arguments arguments) {
    const auto found = manifest_file(context, arguments[0].as_string());
    if (found) return read_file(*found, "file");
    fail_call_at(context, "NO_SUCH_FILE_OR_DIRECTORY",
                 "No such file or directory: " + arguments[0].as_string());
}

Value manifest_dir_children(CallContext& context, Arguments arguments) {
    const std::string& name = arguments[0].as_string();
    const std::size_t slash = name.find('/');
    const auto module = context.environment().host.module_path(name.substr(0, slash));
    fs::path folder = module ? fs::path(*module) : fs::path(name);
    if (module && slash != std::string::npos) folder = join_inside(*module, name.substr(slash + 1));
    std::vector<std::string> names;
    std::error_code error;
    fs::directory_iterator at(folder, error);
    for (; !error && at != fs::directory_iterator(); at.increment(error))
        names.push_back(at->path().filename().string());
    if (error) fail_as_ruby(error.message() + " @ dir_initialize - " + folder.string());
    std::sort(names.begin(), names.end());
    return std::vector<Value>(names.begin(), names.end());
}

void manifest_pause(double seconds) { std::this_thread::sleep_for(bounded_duration(seconds)); }

Value manifest_sleep(CallContext&, Arguments arguments) {
    const double seconds = arguments[0].as_float();
    if (seconds < 0) fail_as_ruby("time interval must not be negative");
    manifest_pause(seconds);
    return {};
}

Value manifest_do_until(CallContext& context, Arguments arguments) {
    const auto option = [&arguments](const char* name) {
        const Value* value = arguments.empty() ? nullptr : arguments[0].as_hash().find(name);
        return value && value->is_number() ? value->as_float() : 0.0;
    };
    const double limit = option("limit");
    for (double count = 1;; ++count) {
        Value result = context.yield({});
        if (result.truthy() || (limit > 0 && count >= limit)) return result;
        manifest_pause(option("interval"));
    }
}

/// FN-015, FN-016. This thread compiles one catalog and may wait; a failure ends the catalog.
template <class Ask>
Value manifest_ask_puppetdb(CallContext& context, Arguments arguments, Ask ask) {
    try {
        const auto database = PuppetDbUser::database(context, arguments, 1);
        return from_json(ask(*database));
    } catch (const Error& error) {
        fail_call_at(context, "", error.info().msg());
    }
}

Value manifest_puppetdb_query(CallContext& context, Arguments arguments) {
    return manifest_ask_puppetdb(context, arguments, [&](inventory::PuppetDb& database) {
        return database.query(to_json(arguments[0]));
    });
}

Value manifest_puppetdb_fact(CallContext& context, Arguments arguments) {
    std::vector<std::string> names;
    for (const Value& name : arguments[0].as_array()) names.push_back(name.as_string());
    return manifest_ask_puppetdb(context, arguments,
                                 [&](inventory::PuppetDb& database) { return database.facts(names); });
}

struct ManifestBody {
    std::string_view name;
    Dispatch::Body body;  ///< null: the function works as it does in plans
};
constexpr ManifestBody manifest_bodies[] = {
    {"facts", manifest_facts},
    {"vars", manifest_vars},
    {"resource", manifest_resource},
    {"get_target", refused_by_inventory},
    {"get_targets", refused_by_inventory},
    {"file::exists", manifest_file_exists},
    {"file::readable", manifest_file_readable},
    {"file::read", manifest_file_read},
    {"file::write", nullptr},
    {"file::delete", nullptr},
    {"file::join", nullptr},
    {"system::env", nullptr},
    {"dir::children", manifest_dir_children},
    {"ctrl::sleep", manifest_sleep},
    {"ctrl::do_until", manifest_do_until},
    {"puppetdb_query", manifest_puppetdb_query},
    {"puppetdb_fact", manifest_puppetdb_fact},
};

Builtin manifest_version(const Builtin& function) {
    Builtin changed = function;
    Dispatch::Body body = only_in_plans;
    for (const ManifestBody& known : manifest_bodies) {
        if (known.name == function.name) body = known.body;
    }
    if (body == nullptr) return changed;
    for (Dispatch& dispatch : changed.dispatches) dispatch.call = body;
    return changed;
}

const std::vector<const Builtin*>& manifest_functions() {
    static const std::vector<Builtin> functions = [] {
        std::vector<Builtin> made;
        for (const Builtin* function : plan_functions()) made.push_back(manifest_version(*function));
        return made;
    }();
    static const std::vector<const Builtin*> pointers = [] {
        std::vector<const Builtin*> made;
        for (const Builtin& function : functions) made.push_back(&function);
        return made;
    }();
    return pointers;
}

}  // namespace

bool is_manifest_function(std::string_view name) {
    const auto known = std::ranges::find(manifest_bodies, name, &ManifestBody::name);
    return known != std::end(manifest_bodies) && known->body != refused_by_inventory;
}

void add_manifest_language(Environment& environment) {
    add_plan_types(environment);
    environment.add_builtins(manifest_functions());
}

}  // namespace volley::planner
