#include "transports/shell/powershell/marked_output.hpp"

#include "support/text.hpp"
#include "transports/errors.hpp"

namespace volley::transports {

MarkedOutput::MarkedOutput(const Marker& marker, OutputSink& out)
    : filter_(
          marker, [&out](std::string_view bytes) { out.on_output(Stream::Out, bytes); },
          [this](std::string_view message) { on_message(message); }),
      errors_(out) {}

void MarkedOutput::on_output(Stream stream, std::string_view bytes) {
    if (stream == Stream::Out) {
        filter_.feed(bytes);
    } else {
        errors_.on_output(stream, bytes);
    }
}

void MarkedOutput::on_message(std::string_view message) {
    const std::vector<std::string> words = split(message, ' ');
    said_ += " " + words.front() + " ";
    if (words.front() == "error" && words.size() == 3) {
        error_code_ = words[1];
        error_ = base64_decode(words[2]).value_or("");
    } else if (words.size() == 2) {
        directory_ = base64_decode(words[1]).value_or("");
    }
}

bool MarkedOutput::has_said(std::string_view word) const noexcept {
    return said_.find(" " + std::string(word) + " ") != std::string::npos;
}

void MarkedOutput::conclude() {
    filter_.finish();
    if (error_code_) throw file_error(error_, *error_code_);
}

}  // namespace volley::transports
