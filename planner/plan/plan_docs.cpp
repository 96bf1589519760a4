#include "planner/plan/plan_docs.hpp"

#include "support/text.hpp"

namespace volley::planner {
namespace {

/// The comment's lines without "#" and one space, from top to bottom.
std::vector<std::string> docs_lines(std::string_view program, std::size_t begin) {
    std::vector<std::string> lines;
    std::size_t end = program.rfind('\n', begin == 0 ? 0 : begin - 1);
    while (end != std::string_view::npos && begin != 0) {
        const std::size_t start = end == 0 ? 0 : program.rfind('\n', end - 1) + 1;  // npos + 1 is 0
        std::string_view line = trim(program.substr(start, end - start));
        if (!line.starts_with('#')) break;
        line.remove_prefix(1);
        if (line.starts_with(' ')) line.remove_prefix(1);
        lines.insert(lines.begin(), std::string(line));
        if (start == 0) break;
        end = start - 1;
    }
    return lines;
}

struct DocsTag {
    std::string name;
    std::string text;
};

/// A line that begins a tag: "@name text". Indented lines after it belong to it.
std::optional<DocsTag> docs_tag(std::string_view line) {
    if (!line.starts_with('@')) return std::nullopt;
    const std::size_t space = line.find_first_of(" \t");
    return DocsTag{std::string(line.substr(1, space == std::string_view::npos ? space : space - 1)),
                   space == std::string_view::npos ? std::string() : std::string(trim(line.substr(space)))};
}

/// "[Type] name text", "name [Type] text" or "name text".
std::pair<std::string, std::string> docs_parameter(std::string_view text) {
    const auto skip_type = [&text] {
        if (!text.starts_with('[')) return;
        const std::size_t end = text.find(']');
        text = end == std::string_view::npos ? std::string_view() : trim(text.substr(end + 1));
    };
    skip_type();
    const std::size_t end = text.find_first_of(" \t\n");
    std::string name(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : trim(text.substr(end));
    skip_type();
    return {std::move(name), std::string(text)};
}

void docs_take(PlanDocs& docs, const DocsTag& tag) {
    if (tag.name == "summary") docs.summary = tag.text;
    if (tag.name == "param") docs.parameters.push_back(docs_parameter(tag.text));
    if (tag.name == "api") docs.api = tag.text;
    if (tag.name == "private") docs.private_tag = tag.text;
}

}  // namespace

PlanDocs read_plan_docs(std::string_view program, std::size_t begin) {
    PlanDocs docs;
    std::optional<DocsTag> open;
    for (const std::string& line : docs_lines(program, begin)) {
        const bool indented = line.starts_with(' ') || line.starts_with('\t');
        if (auto tag = docs_tag(line)) {
            if (open) docs_take(docs, *open);
            open = std::move(tag);
        } else if (open && (indented || trim(line).empty())) {
            open->text += (open->text.empty() ? "" : "\n") + std::string(trim(line));
        } else {
            if (open) docs_take(docs, *std::exchange(open, std::nullopt));
            docs.text += line + "\n";
        }
        if (open) open->text = std::string(trim(open->text));
    }
    if (open) docs_take(docs, *open);
    docs.text = std::string(trim(docs.text));
    return docs;
}

}  // namespace volley::planner
