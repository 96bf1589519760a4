#include "language/conversion/creators.hpp"
#include "language/errors.hpp"
#include "language/text/ruby_text.hpp"
#include "language/text/text.hpp"
#include "language/text/version.hpp"

namespace volley {
namespace {

Value version_error(CallContext&, std::span<const Value> args) {
    throw EvalError("",
                    "'new_Version' The string '" + args[0].as_string() + "' cannot be converted to a SemVer");
}

Value version_string(CallContext& context, std::span<const Value> args) {
    const auto version = Version::parse(args[0].as_string());
    return version ? *version : version_error(context, args);
}

Value version_args(CallContext&, std::span<const Value> args) {
    return Version::make(args[0].as_integer(), args[1].as_integer(), args[2].as_integer(),
                         args.size() > 3 ? args[3].as_string() : "",
                         args.size() > 4 ? args[4].as_string() : "");
}

Value version_hash(CallContext&, std::span<const Value> args) {
    const Hash& hash = args[0].as_hash();
    const auto text = [&hash](std::string_view name) {
        const Value* value = hash.find(name);
        return value ? value->as_string() : std::string();
    };
    return Version::make(hash.find("major")->as_integer(), hash.find("minor")->as_integer(),
                         hash.find("patch")->as_integer(), text("prerelease"), text("build"));
}

Value range_string(CallContext&, std::span<const Value> args) {
    return VersionRange::parse(args[0].as_string());
}

/// Compatibility: such a range is shown with its ends exchanged, and with the numbers that stand for no end.
Value range_between(const Value& low, const Value& high, bool exclude_high) {
    std::string meaning = low.is(Kind::Default) ? ">=0.0.0" : ">=" + to_text(low);
    if (!high.is(Kind::Default)) meaning += (exclude_high ? " <" : " <=") + to_text(high);
    const std::string first = high.is(Kind::Default) ? "Infinity.0.0" : to_text(high);
    const std::string second = low.is(Kind::Default) ? "0.0.0-" : to_text(low);
    return VersionRange::parse_shown(meaning,
                                     exclude_high ? ">=" + first + " <" + second : first + " - " + second);
}

Value range_args(CallContext&, std::span<const Value> args) {
    return range_between(args[0], args[1], args.size() > 2 && args[2].as_boolean());
}

Value range_hash(CallContext&, std::span<const Value> args) {
    const Hash& hash = args[0].as_hash();
    const Value* high = hash.find("max");
    const Value* exclude = hash.find("exclude_max");
    return range_between(*hash.find("min"), high ? *high : Value::make_default(),
                         exclude && exclude->truthy());
}

}  // namespace

const Builtin& version_creator() {
    static const Builtin def{
        .name = "new_Version",
        .doc = "A semantic version from its text or its parts.",
        .dispatches = {{.params = {{"SemVerPattern", "str"}}, .call = version_string},
                       {.params = {{"PositiveInteger", "major"},
                                   {"PositiveInteger", "minor"},
                                   {"PositiveInteger", "patch"},
                                   {"SemVerQualifier", "prerelease", Dispatch::Optional},
                                   {"SemVerQualifier", "build", Dispatch::Optional}},
                        .call = version_args},
                       {.params = {{"SemVerHash", "hash_args"}}, .call = version_hash},
                       {.params = {{"String", "str"}}, .call = version_error, .explains = true}},
        .local_types =
            {{"PositiveInteger", "Integer[0,default]"},
             {"SemVerQualifier", "Pattern[/\\A(?<part>[0-9A-Za-z-]+)(?:\\.\\g<part>)*\\Z/]"},
             {"SemVerPattern",
              "Pattern[/"
              "\\A(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?"
              "(?:\\+([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?\\Z/]"},
             {"SemVerHash",
              "Struct[{major=>PositiveInteger,minor=>PositiveInteger,patch=>PositiveInteger,"
              "Optional[prerelease]=>SemVerQualifier,Optional[build]=>SemVerQualifier}]"}},
    };
    return def;
}

const Builtin& version_range_creator() {
    static const Builtin def{
        .name = "new_VersionRange",
        .doc = "A range of semantic versions from its text or its ends.",
        .dispatches = {{.params = {{"SemVerRangeString", "str"}}, .call = range_string},
                       {.params = {{"Variant[Default,SemVer]", "min"},
                                   {"Variant[Default,SemVer]", "max"},
                                   {"Boolean", "exclude_max", Dispatch::Optional}},
                        .call = range_args},
                       {.params = {{"SemVerRangeHash", "hash_args"}}, .call = range_hash}},
        .local_types = {{"SemVerRangeString", "String[1]"},
                        {"SemVerRangeHash",
                         "Struct[{min=>Variant[Default,SemVer],Optional[max]=>Variant[Default,SemVer],"
                         "Optional[exclude_max]=>Boolean}]"}},
    };
    return def;
}

}  // namespace volley
