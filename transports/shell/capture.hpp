#pragma once

#include <string_view>

#include "transports/output.hpp"

namespace volley::transports {

/// Keeps what a command writes, and passes it on to the observer of an action as it comes.
class Capture final : public OutputSink {
public:
    /// The observer may be null; it must outlive this.
    explicit Capture(OutputSink* observer) : observer_(observer) {}

    void on_output(Stream stream, std::string_view bytes) override {
        captured.append(stream, bytes);
        if (observer_ != nullptr) observer_->on_output(stream, bytes);
    }

    CapturedOutput captured;

private:
    OutputSink* observer_;
};

}  // namespace volley::transports
