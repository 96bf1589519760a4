#include "language/text/uri.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <vector>

#include "language/errors.hpp"
#include "language/text/regexp.hpp"
#include "language/text/ruby_text.hpp"
#include "support/text.hpp"
#include "support/unicode/utf8.hpp"

namespace volley {
namespace {

struct DefaultPort {
    std::string_view scheme;
    std::int64_t port;
};
constexpr DefaultPort default_ports[] = {{"ftp", 21},   {"http", 80},   {"https", 443},
                                         {"ldap", 389}, {"ldaps", 636}, {"ws", 80}};

std::optional<std::int64_t> default_port(const std::optional<std::string>& scheme) {
    for (const DefaultPort& known : default_ports) {
        if (scheme == known.scheme) return known.port;
    }
    return std::nullopt;
}

/// RFC 3986, appendix A: a URI or a relative reference. The groups are: scheme, opaque, userinfo, host, port,
/// path, query, fragment.
const Regexp& grammar() {
    static const std::string character = R"((?:%\h\h|[!$&-.0-;=@A-Z_a-z~]))";
    static const std::string segments = "(?:/" + character + "*+)*+";
    static const std::string host =
        R"((?:\[(?:[\h:.]+|v\h+\.[!$&-.0-;=A-Z_a-z~]+)\]|(?:%\h\h|[!$&-.0-9;=A-Z_a-z~])*+))";
    static const std::string authority =
        R"((?://(?:((?:%\h\h|[!$&-.0-;=A-Z_a-z~])*+)@)?()" + host + R"()(?::(\d*+))?)";
    static const std::string with_authority = authority + "(" + segments + "))";
    static const std::string absolute = "(/(?:" + character + "++" + segments + ")?)";
    static const std::string tail =
        R"((?:\?((?:%\h\h|[!$&-.0-;=@A-Z_a-z~/?])*+))?(?:\#((?:%\h\h|[!$&-.0-;=@A-Z_a-z~/?])*+))?\z)";
    static const Ref<const Regexp> pattern =
        Regexp::compile(R"(\A(?:([A-Za-z][+\-.0-9A-Za-z]*+):)?(?:)" + with_authority + "|" + absolute + "|(" +
                        character + "++" + segments + ")|)" + tail);
    return *pattern;
}

std::optional<std::string> group_of(const RegexpMatch& match, std::string_view text, std::size_t index) {
    if (index >= match.groups.size() || match.groups[index].begin < 0) return std::nullopt;
    return std::string(match.group(text, index));
}

[[noreturn]] void no_uri(std::string_view text) {
    throw EvalError("", "bad URI(is not URI?): " + ruby_inspect(Value(text)));
}

/// Ruby's String#dump: what is not ASCII is written by its number.
std::string dumped(std::string_view text) {
    std::string result = "\"";
    for (std::size_t at = 0; at < text.size();) {
        const Character character = character_at(text, at);
        at += character.length;
        if (character.code < 0x80) {
            result += static_cast<char>(character.code);
            continue;
        }
        std::array<char, 16> escape{};
        const auto code = static_cast<unsigned>(character.code);
        std::snprintf(escape.data(), escape.size(), code > 0xffff ? "\\u{%X}" : "\\u%04X", code);
        result += escape.data();
    }
    return result + "\"";
}

std::vector<std::string> path_segments(const std::string& path) {
    return path.empty() ? std::vector<std::string>() : split(path, '/');
}

/// RFC 2396, section 5.2, step 6, as Ruby does it: ".." above the root is dropped.
std::string merged_path(const std::string& base, const std::string& reference) {
    std::vector<std::string> result = path_segments(base);
    std::vector<std::string> steps = path_segments(reference);
    if (!result.empty() && result.back() == "..") result.emplace_back();
    for (auto up = std::find(result.begin(), result.end(), ".."); up != result.end();
         up = std::find(result.begin(), result.end(), "..")) {
        result.erase(up == result.begin() ? up : up - 1, up + 1);
    }
    if (!steps.empty() && steps.front().empty()) {
        result.clear();
        steps.erase(steps.begin());
    }
    if (!steps.empty() && (steps.back() == "." || steps.back() == "..")) steps.emplace_back();
    std::erase(steps, ".");
    std::vector<std::string> rest;
    for (std::string& step : steps) {
        if (step == ".." && !rest.empty() && rest.back() != "..")
            rest.pop_back();
        else
            rest.push_back(std::move(step));
    }
    bool slash = !rest.empty();
    if (result.empty())
        result.emplace_back();
    else if (slash)
        result.pop_back();
    for (std::size_t i = 0; i < rest.size(); ++i) {
        if (rest[i] == "..") {
            if (result.size() > 1) result.pop_back();
            continue;
        }
        result.insert(result.end(), rest.begin() + static_cast<std::ptrdiff_t>(i), rest.end());
        slash = false;
        break;
    }
    if (slash) result.emplace_back();
    std::string path;
    for (std::size_t i = 0; i < result.size(); ++i) path += (i == 0 ? "" : "/") + result[i];
    return path;
}

Uri::Parts normal_parts(Uri::Parts parts) {
    if (parts.scheme) parts.scheme = lower(*parts.scheme);
    if (!parts.opaque && !parts.path) parts.path = "";
    if (!parts.port) parts.port = default_port(parts.scheme);
    if (parts.scheme == "file") {
        if (!parts.host || parts.host == "localhost") parts.host = "";
        parts.port.reset();
    }
    return parts;
}

}  // namespace

Uri::Uri(Parts from) : parts(normal_parts(std::move(from))) {}

Value Uri::parse(std::string_view text) {
    if (!is_ascii(text)) throw EvalError("", "URI must be ascii only " + dumped(text));
    const auto match = grammar().search(text);
    if (!match) no_uri(text);
    Parts parts;
    parts.scheme = group_of(*match, text, 1);
    parts.userinfo = group_of(*match, text, 2);
    parts.host = group_of(*match, text, 3);
    if (const auto port = group_of(*match, text, 4); port && !port->empty()) {
        if (port->size() > 9) no_uri(text);
        parts.port = std::stoll(*port);
    }
    parts.query = group_of(*match, text, 8);
    parts.fragment = group_of(*match, text, 9);
    const auto rootless = group_of(*match, text, 7);
    if (rootless && parts.scheme) {
        parts.opaque = parts.query ? *rootless + "?" + *parts.query : *rootless;
        parts.query.reset();
        return Value(Kind::Uri, make_shared_object<Uri>(std::move(parts)));
    }
    // The first segment of a relative reference has no colon, or it would be a scheme.
    if (rootless && rootless->substr(0, rootless->find('/')).find(':') != std::string::npos) no_uri(text);
    parts.path = group_of(*match, text, 5);
    if (!parts.path) parts.path = group_of(*match, text, 6);
    if (!parts.path) parts.path = rootless.value_or("");
    return Value(Kind::Uri, make_shared_object<Uri>(std::move(parts)));
}

Value Uri::build(Parts parts) {
    const bool hierarchical = parts.scheme || parts.host;
    if (hierarchical && parts.path && !parts.path->empty() && parts.path->front() != '/') {
        throw EvalError("", "bad component(expected absolute path component): " + *parts.path);
    }
    if (parts.scheme && lower(*parts.scheme) == "mailto")
        throw EvalError("", "bad component(expected opaque component): ");
    // What the parts say together must be what they say alone.
    return parse(Uri(std::move(parts)).text());
}

Value Uri::join(const Uri& base, const Uri& reference) {
    const Parts& from = reference.parts;
    if (from.scheme) return Value(Kind::Uri, make_shared_object<Uri>(from));
    if (!base.parts.scheme) throw EvalError("", "both URI are relative");
    Parts result = base.parts;
    const bool authority = from.userinfo || from.host || from.port;
    if ((!from.path || from.path->empty()) && !authority && !from.query) {
        if (from.fragment) result.fragment = from.fragment;
        return Value(Kind::Uri, make_shared_object<Uri>(std::move(result)));
    }
    result.query = from.query;
    result.fragment = from.fragment;
    if (authority) {
        if (from.path) result.path = from.path;
    } else if (result.path && from.path) {
        result.path = merged_path(*result.path, *from.path);
    }
    if (from.userinfo) result.userinfo = from.userinfo;
    if (from.host) result.host = from.host;
    if (from.port) result.port = from.port;
    return Value(Kind::Uri, make_shared_object<Uri>(std::move(result)));
}

std::string Uri::text() const {
    std::string result;
    if (parts.scheme) result += *parts.scheme + ":";
    if (parts.opaque) {
        result += *parts.opaque;
    } else {
        if (parts.host || parts.scheme == "file") result += "//";
        if (parts.userinfo) result += *parts.userinfo + "@";
        if (parts.host) result += *parts.host;
        if (parts.port && parts.port != default_port(parts.scheme))
            result += ":" + std::to_string(*parts.port);
        result += parts.path.value_or("");
        if (parts.query) result += "?" + *parts.query;
    }
    if (parts.fragment) result += "#" + *parts.fragment;
    return result;
}

std::optional<Value> Uri::member(std::string_view name) const {
    const auto text_or_undef = [](const std::optional<std::string>& part) {
        return part ? Value(*part) : Value();
    };
    if (name == "scheme") return text_or_undef(parts.scheme);
    if (name == "userinfo") return text_or_undef(parts.userinfo);
    if (name == "host") return text_or_undef(parts.host);
    if (name == "port") return parts.port ? Value(*parts.port) : Value();
    if (name == "query") return text_or_undef(parts.query);
    if (name == "fragment") return text_or_undef(parts.fragment);
    if (name == "opaque") return text_or_undef(parts.opaque);
    if (name != "path") return std::nullopt;
    // Compatibility: the path of an ftp URI is relative to the login's home, without its first slash.
    if (parts.scheme == "ftp" && parts.path) {
        std::string path = parts.path->substr(0, parts.path->rfind(";type="));
        if (path.starts_with('/')) path.erase(0, 1);
        return Value(std::move(path));
    }
    return text_or_undef(parts.path);
}

Value Uri::as_type_parameters() const {
    HashBuilder result;
    const auto add = [&result](std::string_view name, const std::optional<std::string>& part) {
        if (part) result.set(Value(name), Value(*part));
    };
    add("scheme", parts.scheme);
    add("userinfo", parts.userinfo);
    if (parts.host && !parts.host->empty()) add("host", lower(*parts.host));
    const bool usual =
        (parts.scheme == "http" && parts.port == 80) || (parts.scheme == "https" && parts.port == 443);
    if (parts.port && !usual) add("port", std::to_string(*parts.port));
    if (parts.path && !parts.path->empty()) add("path", parts.path);
    add("query", parts.query);
    add("fragment", parts.fragment);
    add("opaque", parts.opaque);
    return result.build();
}

std::string Uri::normalized() const {
    Parts same = parts;
    if (same.path && same.path->empty()) same.path = "/";
    if (same.host) same.host = lower(*same.host);
    return Uri(std::move(same)).text();
}

bool Uri::equals(const Shared& other) const {
    return normalized() == static_cast<const Uri&>(other).normalized();
}

std::size_t Uri::hash() const { return std::hash<std::string>{}(normalized()); }

}  // namespace volley
