#include "cli/outputters/stream_lines.hpp"

namespace volley::cli {

void StreamLines::add(std::string_view target, transports::Stream stream, std::string_view bytes,
                      const Emit& emit) {
    std::string& rest = rest_[{std::string(target), stream}];
    while (!bytes.empty()) {
        const std::size_t end = bytes.find('\n');
        if (end == std::string_view::npos) {
            rest += bytes;
            break;
        }
        if (rest.empty()) {
            emit(stream, bytes.substr(0, end));
        } else {
            rest += bytes.substr(0, end);
            emit(stream, rest);
            rest.clear();
        }
        bytes.remove_prefix(end + 1);
    }
    if (rest.size() > longest_kept) {
        emit(stream, rest);
        rest.clear();
    }
}

void StreamLines::finish(std::string_view target, const Emit& emit) {
    for (const transports::Stream stream : {transports::Stream::Out, transports::Stream::Err}) {
        const auto at = rest_.find(std::pair(std::string(target), stream));
        if (at == rest_.end()) continue;
        if (!at->second.empty()) emit(stream, at->second);
        rest_.erase(at);
    }
}

}  // namespace volley::cli
