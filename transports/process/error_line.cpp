#include "transports/process/error_line.hpp"

#include <algorithm>
#include <vector>

#include "support/text.hpp"

namespace volley::transports {

namespace {
constexpr std::size_t most_kept = 2048;
}

void ErrorLine::add(std::string_view bytes) {
    const std::size_t space = most_kept - kept_.size();
    cut_ = cut_ || bytes.size() > space;
    kept_ += bytes.substr(0, std::min(space, bytes.size()));
}

std::string ErrorLine::text() const {
    std::vector<std::string> lines;
    // Programs that write for a terminal end their lines with a carriage return too.
    for (const std::string& line : split(kept_, '\n'))
        if (!trim(line).empty()) lines.push_back(scrub_utf8(trim(line)));
    return join(lines, "; ") + (cut_ ? "..." : "");
}

}  // namespace volley::transports
