#include "language/ruby/ruby.hpp"

#include "language/ruby/ruby_runner.hpp"

namespace volley {

RubyFunctions::RubyFunctions(Environment& environment) : runner_(std::make_unique<RubyRunner>(environment)) {}
RubyFunctions::~RubyFunctions() = default;

bool RubyFunctions::knows(std::string_view name) { return runner_->knows(name); }

std::optional<TypePtr> RubyFunctions::result_type(CallContext& context, std::string_view name,
                                                  const std::vector<Value>& arguments) {
    return runner_->result_type(context, name, arguments);
}

Value RubyFunctions::call(CallContext& context, std::string_view name, std::vector<Value> arguments) {
    return runner_->call(context, name, std::move(arguments));
}

std::string RubyFunctions::render(CallContext& context, const std::string& text, const std::string& path,
                                  const std::string& name) {
    return runner_->render(context, text, path, name);
}

}  // namespace volley
