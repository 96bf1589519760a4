#include "planner/output_events.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "support/json/json_text.hpp"

namespace volley::planner {

OutputEvents::OutputEvents(std::function<void(const Event&)> publish, const inventory::Target& target,
                           std::size_t step, bool is_task)
    : publish_(std::move(publish)),
      name_(target.name()),
      safe_name_(target.safe_name()),
      step_(step),
      value_(is_task ? Value::Unknown : Value::None) {}

void OutputEvents::emit(transports::Stream stream, std::string_view bytes) const {
    publish_(TargetOutput{name_, safe_name_, stream, bytes, step_});
}

void OutputEvents::on_output(transports::Stream stream, std::string_view bytes) {
    if (stream == transports::Stream::Err || value_ == Value::None) return emit(stream, bytes);
    held_ += bytes;
    if (value_ == Value::Held) return;
    const std::size_t first = held_.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) return;
    value_ = held_[first] == '{' ? Value::Held : Value::None;
    if (value_ == Value::None) emit(stream, std::exchange(held_, {}));
}

void OutputEvents::finish(const Result& result) {
    if (held_.empty()) return;
    const Json value = result.value();
    const bool may_be_secret =
        held_.find("_sensitive") != std::string::npos || held_.find("\\u") != std::string::npos;
    std::string text = std::exchange(held_, {});
    if (value.is_object() && value.contains("_sensitive")) {
        text = compact_json(value) + "\n";
    } else if (may_be_secret && !result.ok() && !(value.is_object() && value.contains("_output"))) {
        return;
    }
    emit(transports::Stream::Out, text);
}

}  // namespace volley::planner
