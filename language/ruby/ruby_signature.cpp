#include "language/ruby/ruby_signature.hpp"

#include <algorithm>
#include <deque>
#include <nlohmann/json.hpp>

#include "language/errors.hpp"
#include "language/text/regexp.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"

namespace volley {

/// The strings live as long as the views into them.
struct RubySignature::Texts {
    std::deque<std::string> all;
    std::string_view keep(std::string text) { return all.emplace_back(std::move(text)); }
};

namespace {

Dispatch::Arity ruby_arity(const std::string& kind) {
    if (kind == "optional") return Dispatch::Optional;
    if (kind == "repeated") return Dispatch::Repeated;
    if (kind == "required_repeated") return Dispatch::RequiredRepeated;
    return Dispatch::Required;
}

std::string ruby_alias_name(const Json& alias) {
    const auto text = alias.get<std::string>();
    return lower(trim(text.substr(0, text.find('='))));
}

/// The types of the environment that a text names, made known to a loader of its own, so that a function's
/// local types are seen by nobody else.
void ruby_import_types(const std::string& text, const Json& aliases, Environment& environment,
                       TypeLoader& loader) {
    static const auto name = Regexp::compile("\\b[A-Z]\\w*(?:::[A-Z]\\w*)*");
    for (auto found = name->search(text); found;
         found = name->search(text, static_cast<std::size_t>(found->groups[0].end))) {
        const std::string wanted(found->group(text, 0));
        const std::string key = lower(wanted);
        const bool own = std::any_of(aliases.begin(), aliases.end(),
                                     [&key](const Json& alias) { return ruby_alias_name(alias) == key; });
        if (own || types::builtin_type(key)) continue;
        if (const TypePtr type = environment.types.load(wanted)) loader.define(key, type);
    }
}

}  // namespace

RubySignature::RubySignature(const Json& data, Environment& environment)
    : own_call_(data.value("own_call", false)), texts_(std::make_unique<Texts>()) {
    TypeLoader loader([&data](std::string_view wanted) -> std::optional<std::string> {
        for (const Json& alias : data["aliases"]) {
            if (ruby_alias_name(alias) == wanted) return "type " + alias.get<std::string>();
        }
        return std::nullopt;
    });
    const Json& aliases = data["aliases"];
    for (const Json& alias : aliases)
        ruby_import_types(alias.get<std::string>(), aliases, environment, loader);
    std::vector<std::string> block_names;
    for (const Json& one : data["dispatches"]) {
        Dispatch dispatch;
        for (const Json& parameter : one["params"]) {
            const auto type = parameter[0].get<std::string>();
            ruby_import_types(type, aliases, environment, loader);
            dispatch.params.push_back({texts_->keep(type), texts_->keep(parameter[1].get<std::string>()),
                                       ruby_arity(parameter[2].get<std::string>())});
        }
        dispatch.block = texts_->keep(text_in(one, "block"));
        const std::string block_name = text_in(one, "block_name");
        block_names.push_back(block_name.empty() ? "block" : block_name);
        dispatch.explains = one.value("mismatch", false);
        const std::string result = text_in(one, "returns");
        ruby_import_types(result, aliases, environment, loader);
        dispatch.returns = texts_->keep(result);
        results_.push_back(result.empty() ? TypePtr() : parse_type(result, loader));
        methods_.push_back(text_in(one, "method"));
        dispatches_.push_back(std::move(dispatch));
    }
    set_.emplace(dispatches_, loader);
    set_->name_blocks(block_names);
}

RubySignature::~RubySignature() = default;

void RubySignature::check_result(std::size_t index, const Value& result) const {
    const TypePtr& wanted = results_[index];
    if (!wanted || is_instance(*wanted, result)) return;
    throw EvalError(
        "", describe_mismatch("value returned from function '" + methods_[index] + "' has wrong type,",
                              wanted, infer_set(result)));
}

}  // namespace volley
