#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "transports/connection.hpp"
#include "transports/shell/message_filter.hpp"

namespace volley::transports {

/// What a script of ours prints: output, and between the marker's tokens messages on standard output: a word,
/// and base64 of a text. Errors of ours are the message "error CODE text".
class MarkedOutput final : public OutputSink {
public:
    /// `out` gets everything that is not a message. It must outlive this.
    MarkedOutput(const Marker& marker, OutputSink& out);

    void on_output(Stream stream, std::string_view bytes) override;
    /// After the end: passes on what was held back, and throws file_error when the script said so.
    void conclude();

    bool has_said(std::string_view word) const noexcept;
    /// The text of a message; empty where it did not come.
    const std::string& directory() const noexcept { return directory_; }

private:
    void on_message(std::string_view message);

    MessageFilter filter_;
    OutputSink& errors_;
    std::string said_;
    std::string directory_;
    std::optional<std::string> error_code_;
    std::string error_;
};

}  // namespace volley::transports
