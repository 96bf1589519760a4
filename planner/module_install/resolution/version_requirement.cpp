#include "planner/module_install/resolution/version_requirement.hpp"

#include "language/errors.hpp"

namespace volley::modules {

std::optional<Value> parse_version(std::string_view text) {
    try {
        return Version::parse(text);
    } catch (const LanguageError&) {  // a number that no version has
        return std::nullopt;
    }
}

int compare_versions(const Value& left, const Value& right) {
    return left.as<Version>().compare(right.as<Version>());
}

std::string version_text(const Value& version) { return version.as<Version>().text(); }

bool is_prerelease(const Value& version) { return !version.as<Version>().prerelease.empty(); }

VersionRequirement::VersionRequirement() : range_(VersionRange::parse(">= 0")) {}

std::optional<VersionRequirement> VersionRequirement::parse(std::string_view text) {
    try {
        return VersionRequirement(VersionRange::parse(text));
    } catch (const LanguageError&) {
        return std::nullopt;
    }
}

bool VersionRequirement::includes(const Value& version) const {
    return range_.as<VersionRange>().includes(version.as<Version>());
}

}  // namespace volley::modules
