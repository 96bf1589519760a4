#include "language/lookup/context.hpp"

#include <atomic>

#include "language/errors.hpp"
#include "language/evaluator/environment.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/evaluator/iterate.hpp"
#include "language/functions/builtin.hpp"
#include "language/lookup/adapter.hpp"
#include "language/lookup/data/symbol.hpp"
#include "language/lookup/interpolate.hpp"
#include "language/lookup/invocation.hpp"
#include "language/text/ruby_text.hpp"
#include "language/types/native_type.hpp"
#include "language/types/parse.hpp"

namespace volley::lookup {
namespace {

const LookupContext& context_object(const Value& self) { return self.as<LookupContext>(); }

/// Does something with the lookup that a context is used in. A program may use its own outside of any.
template <class Work>
Value with_invocation(CallContext& call, const Value& self, Work work) {
    const LookupContext& context = context_object(self);
    if (!context.of_program()) return work(context.invocation());
    Adapter& adapter = call.environment().lookup().adapter();
    if (Invocation* current = adapter.current()) return work(*current);
    Invocation alone(adapter, call.evaluator, call.frame);
    alone.module_name = context.memory().module_name;
    const CurrentInvocation entered(alone);
    return work(alone);
}

Value context_not_found(CallContext& call, const Value&, std::span<const Value>) {
    if (!call.environment().lookup().adapter().current())
        throw EvalError("", "not_found() is for functions that a lookup calls");
    throw NoSuchKey();
}

Value context_explain(CallContext& call, const Value& self, std::span<const Value>) {
    return with_invocation(call, self, [&call](Invocation& invocation) {
        if (invocation.explainer()) invocation.report_text(ruby_to_s(call.yield({})));
        return Value();
    });
}

Value context_interpolate(CallContext& call, const Value& self, std::span<const Value> args) {
    return with_invocation(
        call, self, [&args](Invocation& invocation) { return interpolate(args[0], invocation, true); });
}

Value context_cache(CallContext&, const Value& self, std::span<const Value> args) {
    context_object(self).memory().cache.set(args[0], args[1]);
    return args[1];
}

Value context_cache_all(CallContext&, const Value& self, std::span<const Value> args) {
    HashBuilder& cache = context_object(self).memory().cache;
    for (const auto& entry : args[0].as_hash()) cache.set(entry.key, entry.value);
    return {};
}

Value context_cache_has_key(CallContext&, const Value& self, std::span<const Value> args) {
    return context_object(self).memory().cache.contains(args[0]);
}

Value context_cached_value(CallContext&, const Value& self, std::span<const Value> args) {
    const Value* value = context_object(self).memory().cache.find(args[0]);
    return value ? *value : Value();
}

/// The entries as they are now: the lambda may add to the cache meanwhile.
Value context_cached_entries(CallContext& call, const Value& self, std::span<const Value>) {
    HashBuilder& cache = context_object(self).memory().cache;
    const Value all = cache.build();
    cache = HashBuilder(all.as_hash());
    if (!call.block) return step_sequence(all, 1);
    const bool two = call.block_arity() == 2;
    for (const auto& entry : all.as_hash()) {
        if (two)
            call.yield({entry.key, entry.value});
        else
            call.yield({Value(std::vector<Value>{entry.key, entry.value})});
    }
    return {};
}

Value context_file_data(CallContext& call, const Value& self, std::span<const Value> args) {
    const LookupContext& context = context_object(self);
    Adapter& adapter =
        context.of_program() ? call.environment().lookup().adapter() : context.invocation().adapter;
    return adapter.file_data(args[0].as_string(), [&call](const Value& content) {
        return call.block ? call.yield({content}) : content;
    });
}

Value make_context(CallContext& call, const Hash& given) {
    const Value* module = given.find("module_name");
    auto memory = std::make_shared<FunctionMemory>();
    if (module && module->is_string()) memory->module_name = module->as_string();
    return Value(Kind::Object, make_shared_object<LookupContext>(std::move(memory),
                                                                 call.environment().settings.environment));
}

Value context_environment_name(CallContext&, const Value& self, std::span<const Value>) {
    return context_object(self).attribute("environment_name").value_or(Value());
}
}  // namespace

std::uint64_t FunctionMemory::number() const {
    static std::atomic<std::uint64_t> last{0};
    if (number_ == 0) number_ = ++last;
    return number_;
}

const NativeType& lookup_context_native() {
    static const NativeType type{
        .name = "Puppet::LookupContext",
        .interface = R"(
            parent => Any,
            attributes => {
                environment_name => { type => String[1], kind => derived },
                module_name => Variant[String[1], Undef]
            },
            functions => {
                not_found => Callable[[0, 0], Undef],
                explain => Callable[[0, 0, Callable[0, 0]], Undef],
                interpolate => Callable[1, 1],
                cache => Callable[[Optional[Scalar], Any], Any],
                cache_all => Callable[[Hash[Optional[Scalar], Any]], Undef],
                cache_has_key => Callable[[Optional[Scalar]], Boolean],
                cached_value => Callable[[Optional[Scalar]], Any],
                cached_entries => Variant[Callable[[0, 0, Callable[1, 1]], Undef],
                                          Callable[[0, 0, Callable[2, 2]], Undef],
                                          Callable[[0, 0], Iterable[Tuple[Optional[Scalar], Any]]]],
                cached_file_data => Callable[String, Optional[Callable[1, 1]]]
            })",
        .methods = {{"environment_name", context_environment_name},
                    {"not_found", context_not_found},
                    {"explain", context_explain},
                    {"interpolate", context_interpolate},
                    {"cache", context_cache},
                    {"cache_all", context_cache_all},
                    {"cache_has_key", context_cache_has_key},
                    {"cached_value", context_cached_value},
                    {"cached_entries", context_cached_entries},
                    {"cached_file_data", context_file_data}},
        .create = make_context,
        .named = false,
    };
    return type;
}

TypePtr LookupContext::type() const {
    static const TypePtr type = types::builtin_type("puppet::lookupcontext");
    return type;
}

Invocation& LookupContext::invocation() const {
    if (!invocation_) throw EvalError("", "A Puppet::LookupContext can be used during its own lookup only");
    return *invocation_;
}

std::optional<Value> LookupContext::attribute(std::string_view name) const {
    if (name == "module_name") return memory_->module_name.empty() ? Value() : Value(memory_->module_name);
    // Compatibility: a symbol, which is not data.
    if (name == "environment_name")
        return Symbol::make(environment_ ? *environment_
                                         : invocation().evaluator.environment().settings.environment);
    return std::nullopt;
}

}  // namespace volley::lookup
