#include "cli/guides/page_text.hpp"
#include "cli/outputters/outputter.hpp"

namespace volley::cli {

Guide plans_guide() {
    static const std::string text = page_text(
#include "cli/guides/plans_page.inc"
    );
    return {.topic = "plans", .text = text, .documentation = "docs/plans.md"};
}

}  // namespace volley::cli
