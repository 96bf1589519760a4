#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "inventory/targets/target.hpp"
#include "planner/event.hpp"
#include "planner/results/result.hpp"
#include "transports/connection.hpp"

namespace volley::planner {

/// Streams a job's output to the listeners. The value that a task prints, a JSON object, comes at its end,
/// without what is `_sensitive`; all else as it arrives.
class OutputEvents final : public transports::OutputSink {
public:
    OutputEvents(std::function<void(const Event&)> publish, const inventory::Target& target, std::size_t step,
                 bool is_task);
    void on_output(transports::Stream stream, std::string_view bytes) override;
    /// The job has ended. What a task printed before it was cut off is dropped when a secret may be in it.
    void finish(const Result& result);

private:
    enum class Value { Unknown, None, Held };

    void emit(transports::Stream stream, std::string_view bytes) const;

    std::function<void(const Event&)> publish_;
    std::string name_;
    std::string safe_name_;
    std::size_t step_;
    Value value_;
    std::string held_;
};

}  // namespace volley::planner
