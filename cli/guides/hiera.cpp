#include "cli/guides/page_text.hpp"
#include "cli/outputters/outputter.hpp"

namespace volley::cli {

Guide hiera_guide() {
    static const std::string text = page_text(
#include "cli/guides/hiera_page.inc"
    );
    return {.topic = "hiera", .text = text, .documentation = "docs/hiera.md"};
}

}  // namespace volley::cli
