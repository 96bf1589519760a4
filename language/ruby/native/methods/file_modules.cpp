#include <algorithm>

#include "language/ruby/native/arguments.hpp"
#include "language/ruby/native/methods/tables.hpp"

/// File: what it does with the text of paths. What looks at the disk is not native.
namespace volley::ruby::methods {
namespace {

using Kind = Object::Kind;

const std::string& path_argument(const Object& path) {
    const std::string& text = to_string(path);
    if (text.find('\0') != std::string::npos) not_native("a path with a null byte");
    return text;
}

/// "a/" and "/b" meet with one slash; slashes elsewhere stay.
void join_path(std::string& path, const Object& part, bool& first) {
    if (part.is(Kind::Array)) {
        if (part.array().items.empty()) not_native("File.join of an empty list");
        for (const Object& inner : part.array().items) {
            if (inner.is(Kind::Array)) not_native("File.join of nested lists");
            join_path(path, inner, first);
        }
        return;
    }
    const std::string& next = path_argument(part);
    if (first) {
        path = next;
        first = false;
        return;
    }
    if (next.starts_with('/')) {
        while (path.ends_with('/')) path.pop_back();
    } else if (!path.ends_with('/')) {
        path += '/';
    }
    path += next;
}

Object file_join(const Call& call) {
    std::string path;
    bool first = true;
    for (const Object& part : call.arguments) join_path(path, part, first);
    return text(call, std::move(path));
}

std::string last_part(std::string_view path) {
    while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
    const std::size_t slash = path.rfind('/');
    if (slash == std::string_view::npos || path == "/") return std::string(path);
    return std::string(path.substr(slash + 1));
}

Object file_basename(const Call& call) {
    std::string name = last_part(path_argument(call.arguments[0]));
    if (call.arguments.size() < 2 || name == "/") return text(call, std::move(name));
    const std::string& suffix = to_string(call.arguments[1]);
    if (suffix == ".*") {
        const std::size_t dot = name.rfind('.');
        if (dot != std::string::npos && dot > 0) name.resize(dot);
    } else if (name.size() > suffix.size() && name.ends_with(suffix)) {
        name.resize(name.size() - suffix.size());
    }
    return text(call, std::move(name));
}

Object file_dirname(const Call& call) {
    if (call.arguments.size() > 1) not_native("File.dirname of several levels");
    std::string path = path_argument(call.arguments[0]);
    if (path.starts_with("//")) not_native("File.dirname of //");
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return text(call, ".");
    path.resize(slash);
    while (path.ends_with('/')) path.pop_back();
    return text(call, path.empty() ? "/" : path);
}

Object file_extname(const Call& call) {
    const std::string name = last_part(path_argument(call.arguments[0]));
    const std::size_t begin = name.find_first_not_of('.');
    if (begin == std::string::npos) return text(call, "");
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos || dot < begin) return text(call, "");
    return text(call, name.substr(dot));
}

constexpr Method file_class[] = {{"basename", 1, 2, file_basename},
                                 {"dirname", 1, 2, file_dirname},
                                 {"extname", 1, 1, file_extname},
                                 {"join", 0, Method::any, file_join}};
constexpr ModuleTable file_tables[] = {{"File", file_class}};

}  // namespace

std::span<const ModuleTable> file_modules() { return file_tables; }

}  // namespace volley::ruby::methods
