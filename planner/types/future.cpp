#include "planner/plan/futures.hpp"
#include "planner/types/declarations.hpp"
#include "planner/types/plan_types.hpp"

namespace volley::planner {
namespace {

Value future_state(CallContext&, const Value& self, std::span<const Value>) {
    switch (self.as<FutureObject>().future()->state) {
        case PlanFuture::State::Running:
            return "running";
        case PlanFuture::State::Done:
            return "done";
        case PlanFuture::State::Failed:
            break;
    }
    return "error";
}

}  // namespace

std::optional<Value> FutureObject::attribute(std::string_view) const { return std::nullopt; }

std::string FutureObject::text() const { return "Future '" + future_->label() + "'"; }

const NativeType& future_type() {
    static const NativeType type{
        .name = "Future",
        .interface = R"(
            attributes => {},
            functions => { state => Callable[[], Enum['running', 'done', 'error']] })",
        .methods = {{"state", future_state}},
        .instances = false,
    };
    return type;
}

}  // namespace volley::planner
