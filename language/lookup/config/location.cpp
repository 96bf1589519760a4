#include "language/lookup/config/location.hpp"

#include <algorithm>

#include "language/errors.hpp"
#include "language/evaluator/frame.hpp"
#include "language/lookup/adapter.hpp"
#include "language/lookup/data/data_store.hpp"
#include "language/lookup/interpolate.hpp"
#include "language/lookup/invocation.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::lookup {
namespace {

bool location_exists(const std::string& path, Invocation& invocation) {
    return invocation.adapter.store().files().stamp(path).has_value();
}

/// Restores the scope of an invocation, and the place where it notes what is interpolated.
struct MappedScope {
    MappedScope(Invocation& of, std::vector<Interpolated>& seen)
        : invocation(of), scope(of.scope), interpolated(of.interpolated) {
        if (interpolated) invocation.interpolated = &seen;
    }
    ~MappedScope() {
        invocation.scope = scope;
        invocation.interpolated = interpolated;
    }
    MappedScope(const MappedScope&) = delete;
    MappedScope& operator=(const MappedScope&) = delete;
    Invocation& invocation;
    const FramePtr scope;
    std::vector<Interpolated>* const interpolated;
};

bool is_uri_character(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte > 0x20 && byte < 0x7f && std::string_view("\"<>\\^`{|}").find(c) == std::string_view::npos;
}

}  // namespace

std::string joined_path(const std::string& base, const std::string& path) {
    if (path.starts_with('/')) return path;
    std::string result = base;
    std::size_t at = 0;
    // Compatibility: only leading ".." and "." are worked out, as Pathname#+ does.
    while (at < path.size()) {
        const std::size_t end = std::min(path.find('/', at), path.size());
        const std::string_view part(path.data() + at, end - at);
        if (part == "..") {
            const std::size_t slash = result.rfind('/');
            result = slash == 0 || slash == std::string::npos ? "/" : result.substr(0, slash);
        } else if (part != "." && !part.empty()) {
            break;
        }
        at = end + 1;
    }
    if (at >= path.size()) return result;
    return (result.ends_with('/') ? result : result + "/") + path.substr(at);
}

std::vector<ResolvedLocation> resolve_paths(const std::vector<std::string>& paths, const LocationRules& rules,
                                            Invocation& invocation) {
    std::vector<ResolvedLocation> result;
    for (const std::string& declared : paths) {
        std::string path = interpolate_text(declared, invocation);
        if (!path.ends_with(rules.extension)) path += rules.extension;
        path = joined_path(rules.folder, path);
        const bool exists = location_exists(path, invocation);
        if (exists || !rules.only_existing) result.push_back({declared, path, exists, false});
    }
    return result;
}

std::vector<ResolvedLocation> resolve_globs(const std::vector<std::string>& globs, const LocationRules& rules,
                                            Invocation& invocation) {
    std::vector<ResolvedLocation> result;
    DataFiles& files = invocation.adapter.store().files();
    for (const std::string& declared : globs) {
        const std::string pattern = joined_path(rules.folder, interpolate_text(declared, invocation));
        for (const std::string& path : files.glob(pattern)) {
            const auto stamp = files.stamp(path);
            if (stamp && !stamp->is_directory()) result.push_back({pattern, path, true, false});
        }
    }
    return result;
}

std::vector<ResolvedLocation> resolve_uris(const std::vector<std::string>& uris, Invocation& invocation) {
    std::vector<ResolvedLocation> result;
    for (const std::string& declared : uris) {
        std::string uri = interpolate_text(declared, invocation);
        if (!std::ranges::all_of(uri, is_uri_character))
            throw EvalError("", "bad URI(is not URI?): " + ruby_inspect(Value(uri)));
        result.push_back({declared, std::move(uri), true, true});
    }
    return result;
}

std::vector<ResolvedLocation> resolve_mapped_paths(const std::vector<std::string>& mapped,
                                                   const LocationRules& rules, Invocation& invocation) {
    const Value list = scope_value(mapped[0], invocation, "in string: mapped_path[0]").value_or(Value());
    std::vector<Value> values;
    if (list.is_string() && !list.as_string().empty())
        values.push_back(list);
    else if (list.is_array())
        values = list.as_array().items();
    else if (list.is_hash()) {
        for (const auto& entry : list.as_hash()) values.push_back(std::vector<Value>{entry.key, entry.value});
    }
    std::vector<ResolvedLocation> result;
    std::vector<Interpolated> seen;
    const MappedScope restored(invocation, seen);
    for (const Value& value : values) {
        invocation.scope = std::make_shared<Frame>(restored.scope);
        invocation.scope->set(mapped[1], value);
        const std::string path = joined_path(rules.folder, interpolate_text(mapped[2], invocation));
        result.push_back({mapped[2], path, location_exists(path, invocation), false});
    }
    if (restored.interpolated) {
        for (Interpolated& one : seen) {
            if (one.root != mapped[1]) restored.interpolated->push_back(std::move(one));
        }
    }
    return result;
}

}  // namespace volley::lookup
