#include "cli/guides/page_text.hpp"
#include "cli/outputters/outputter.hpp"

namespace volley::cli {

Guide tasks_guide() {
    static const std::string text = page_text(
#include "cli/guides/tasks_page.inc"
    );
    return {.topic = "tasks", .text = text, .documentation = "docs/write-a-task.md"};
}

}  // namespace volley::cli
