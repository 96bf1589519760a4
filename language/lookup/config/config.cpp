#include "language/lookup/config/config.hpp"

#include <algorithm>

#include "language/errors.hpp"
#include "language/evaluator/environment.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/float_to_integer.hpp"
#include "language/lookup/adapter.hpp"
#include "language/lookup/config/config_shapes.hpp"
#include "language/lookup/config/layer.hpp"
#include "language/lookup/data/data_store.hpp"
#include "language/lookup/errors.hpp"
#include "language/lookup/key.hpp"
#include "language/lookup/merge.hpp"
#include "language/lookup/provider.hpp"
#include "language/text/regexp.hpp"
#include "support/text.hpp"

namespace volley::lookup {
namespace {

/// What counts when there is no hiera.yaml.
Value config_default_5() {
    const Value entry = HashBuilder().set("name", "Common").set("path", "common.yaml").build();
    return HashBuilder()
        .set("version", 5)
        .set("defaults", HashBuilder().set("datadir", "data").set("data_hash", "yaml_data").build())
        .set("hierarchy", std::vector<Value>{entry})
        .build();
}

/// The global layer is searched even when nobody said where it is: explanations and messages show it.
Value config_empty_5() {
    return HashBuilder().set("version", 5).set("hierarchy", std::vector<Value>()).build();
}

Value config_default_3() {
    return HashBuilder()
        .set("backends", std::vector<Value>{"yaml"})
        .set("hierarchy", std::vector<Value>{"nodes/%{::trusted.certname}", "common"})
        .set("merge_behavior", "native")
        .build();
}

/// Ruby's to_i, for versions.
std::int64_t config_version(const Value& value) {
    if (value.is_undef()) return 3;
    if (value.is_number()) return whole_number(value.as_float());
    return value.is_string() ? std::strtol(value.as_string().c_str(), nullptr, 10) : 0;
}

/// Puts the sections that are not there in their default form.
Value config_with_defaults(const Value& given,
                           std::initializer_list<std::pair<const char*, Value>> defaults) {
    HashBuilder all(given.as_hash());
    for (const auto& [key, value] : defaults) {
        const Value* there = all.find(key);
        if (!there || !there->truthy()) all.set(key, value);
    }
    return all.build();
}

std::string regexp_quoted(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (std::string_view(".*?+^$|\\()[]{}-/#").find(c) != std::string_view::npos) result += '\\';
        result += c;
    }
    return result;
}

}  // namespace

HieraConfig::HieraConfig(std::string path, std::string root, Value data, int version, std::string text)
    : path_(std::move(path)),
      root_(std::move(root)),
      data_(std::move(data)),
      version_(version),
      text_(std::move(text)) {}

HieraConfig::~HieraConfig() = default;

std::unique_ptr<HieraConfig> HieraConfig::read(const std::string& path, const Layer& layer,
                                               Invocation& invocation) {
    const std::string root = path.substr(0, path.rfind('/'));
    DataStore& store = invocation.adapter.store();
    std::string found;
    std::string text;
    Value data = path.empty() ? config_empty_5() : config_default_5();
    if (!path.empty() && store.files().stamp(path)) {
        found = path;
        text = store.load(path, DataFormat::Text).as_string();
        try {
            data = store.load(path, DataFormat::Yaml);
        } catch (const LookupError& error) {
            // Compatibility: Puppet's own error, which the call of lookup() takes for its own.
            std::string message = error.what();
            if (message.starts_with("Unable to parse ")) message.erase(0, 16);
            throw DataError(message);
        }
        if (!data.is_hash()) {
            invocation.adapter.warn(
                path +
                    ": File exists but does not contain a valid YAML hash. Falling back to Hiera "
                    "version 3 default config",
                invocation);
            data = config_default_3();
        }
    }
    const Value* given = data.as_hash().find("version");
    const std::int64_t version = config_version(given ? *given : Value());
    if (version < 3 || version > 5) {
        throw LookupError("This runtime does not support hiera.yaml version " + std::to_string(version),
                          "HIERA_UNSUPPORTED_VERSION", {path, 0, 0});
    }
    std::unique_ptr<HieraConfig> config(
        new HieraConfig(found, root, data, static_cast<int>(version), std::move(text)));
    if (version == 5) config->check_version_5(found, layer);
    if (version == 4) config->check_version_4(found);
    if (version == 3) config->check_version_3(found);
    Environment& environment = invocation.evaluator.environment();
    if (version < 5 && environment.settings.strict != Strictness::Off) {
        const Location place{path, 0, 0};
        environment.deprecation("hiera.yaml",
                                path + ": Use of 'hiera.yaml' version " + std::to_string(version) +
                                    " is deprecated. It should be converted to version 5",
                                &place);
    }
    return config;
}

void HieraConfig::check_version_3(const std::string& shown_path) {
    data_ = config_with_defaults(data_, {{"version", 3},
                                         {"backends", *config_default_3().as_hash().find("backends")},
                                         {"hierarchy", *config_default_3().as_hash().find("hierarchy")},
                                         {"merge_behavior", "native"},
                                         {"deep_merge_options", HashBuilder().build()}});
    check_shape_3(shown_path, data_);
}

void HieraConfig::check_version_4(const std::string& shown_path) {
    const Value common = HashBuilder().set("name", "common").set("backend", "yaml").build();
    data_ = config_with_defaults(data_, {{"datadir", "data"}, {"hierarchy", std::vector<Value>{common}}});
    check_shape_4(shown_path, data_);
}

void HieraConfig::check_version_5(const std::string& shown_path, const Layer& layer) {
    const Value standard = config_default_5();
    data_ = config_with_defaults(data_, {{"defaults", *standard.as_hash().find("defaults")},
                                         {"hierarchy", *standard.as_hash().find("hierarchy")}});
    check_shape_5(shown_path, data_);
    const Value defaults = *find("defaults");
    check_defaults(defaults.as_hash());
    const auto check_all = [&](const char* section) {
        if (const Value* entries = find(section)) {
            for (const Value& entry : entries->as_array()) check_entry(entry.as_hash(), defaults, layer);
        }
    };
    check_all("hierarchy");
    check_all("plan_hierarchy");
    if (!find("default_hierarchy")) return;
    if (layer.place() != Layer::Place::Module) {
        fail("HIERA_DEFAULT_HIERARCHY_NOT_IN_MODULE",
             "'default_hierarchy' is only allowed in the module layer",
             line_matching("(?:^|\\s+)default_hierarchy:"));
    }
    check_all("default_hierarchy");
}

bool HieraConfig::has_default_hierarchy() const { return version_ == 5 && find("default_hierarchy"); }

std::shared_ptr<const MergeStrategy> HieraConfig::merge_strategy() const {
    if (version_ != 3) return nullptr;
    const std::string& behavior = find("merge_behavior")->as_string();
    if (behavior != "deep" && behavior != "deeper") return nullptr;
    HashBuilder merge;
    merge.set("strategy", behavior == "deep" ? "reverse_deep" : "unconstrained_deep");
    for (const auto& entry : find("deep_merge_options")->as_hash()) merge.set(entry.key, entry.value);
    return MergeStrategy::from(merge.build());
}

const HieraConfig::Providers& HieraConfig::providers(Invocation& invocation, Layer& layer,
                                                     bool default_hierarchy) {
    if (!made_ || !still_the_same(invocation)) {
        if (made_) {
            invocation.report_text(
                "Hiera configuration recreated due to change of scope variables used in interpolation "
                "expressions");
        }
        std::vector<Interpolated> noted;
        Invocation collecting(invocation.adapter, invocation.evaluator, invocation.scope);
        collecting.stop_explaining();
        collecting.hiera_scope = invocation.hiera_scope;
        collecting.interpolated = &noted;
        Providers main = make_providers(collecting, layer, false);
        Providers standard = has_default_hierarchy() ? make_providers(collecting, layer, true) : Providers();
        std::erase_if(noted, [](const Interpolated& one) {
            return !one.value.is_undef() && one.key.starts_with("::");
        });
        providers_ = std::move(main);
        default_providers_ = std::move(standard);
        interpolated_ = std::move(noted);
        made_ = true;
    }
    return default_hierarchy ? default_providers_ : providers_;
}

HieraConfig::Providers HieraConfig::make_providers(Invocation& invocation, Layer& layer,
                                                   bool default_hierarchy) const {
    constexpr std::string_view unknown = "Undefined variable '";
    try {
        if (version_ == 3) return make_version_3(invocation, layer);
        return version_ == 4 ? make_version_4(invocation, layer)
                             : make_version_5(invocation, layer, default_hierarchy);
    } catch (const LookupError& error) {
        const bool interpolation = error.issue().starts_with("HIERA_INTERPOLATION");
        if (interpolation && error.location().file.empty()) fail(error.issue(), error.what());
        throw;
    } catch (const EvalError& error) {
        const std::string message = error.what();
        if (!message.starts_with(unknown)) throw;
        const std::string name =
            message.substr(unknown.size(), message.find('\'', unknown.size()) - unknown.size());
        fail("HIERA_UNDEFINED_VARIABLE", "Undefined variable '" + name + "'",
             line_matching("%\\{['\"]?" + regexp_quoted(name) + "['\"]?}"));
    }
}

bool HieraConfig::still_the_same(Invocation& invocation) const {
    if (interpolated_.empty()) return true;
    Invocation asking(invocation.adapter, invocation.evaluator, invocation.scope);
    asking.stop_explaining();
    for (const Interpolated& one : interpolated_) {
        Value now = invocation.evaluator.find_variable(one.root, invocation.scope).value_or(Value());
        if (!now.is_undef() && !one.segments.empty())
            now = dig_segments(one.key, asking, one.segments, now).value_or(Value());
        if (!(now == one.value)) return false;
    }
    return true;
}

void HieraConfig::fail(std::string_view issue, const std::string& message, int line) const {
    throw LookupError(message, issue, {path_, line, 0});
}

void HieraConfig::fail_repeated(std::string_view issue, const std::string& what,
                                const std::string& pattern) const {
    const int first = line_matching(pattern);
    const int second = first == 0 ? 0 : line_matching(pattern, first + 1);
    if (second == 0) fail(issue, what, first);
    fail(issue, what + " First defined at (line: " + std::to_string(first) + ")", second);
}

int HieraConfig::line_matching(const std::string& pattern, int start) const {
    const Ref<const Regexp> regexp = Regexp::compile(pattern);
    int number = 0;
    for (std::string line : split(text_, '\n')) {
        ++number;
        if (number < start) continue;
        line = line.substr(0, line.find('#')) + "\n";
        if (regexp->matches(line)) return number;
    }
    return 0;
}

}  // namespace volley::lookup
