#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

#include "planner/plan/report/plan_report.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

// The policy forbids everything that is not on this page, so that no text of a target can fetch or send
// anything.
constexpr std::string_view page_head = R"(<!doctype html>
<html lang="en"><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width,initial-scale=1"><link rel="icon" href="data:,">
)";

constexpr std::string_view page_style = R"(<style>
:root{color-scheme:light dark;--line:#ddd;--soft:#f4f4f4;--dim:#666;--good:#4a8;--bad:#b22}
@media(prefers-color-scheme:dark){:root{--line:#333;--soft:#242424;--dim:#aaa;--bad:#f77}}
body{font:15px/1.4 system-ui,sans-serif;margin:0 auto;max-width:70rem;padding:1rem;overflow-wrap:anywhere}
h1{font-size:1.3rem;margin:.2rem 0}p{margin:.3rem 0}
input[type=search]{font:inherit;width:100%;box-sizing:border-box;padding:.5rem;margin:.5rem 0}
details,.other{border-bottom:1px solid var(--line);padding:.35rem 0}summary{cursor:pointer}
.bar{position:relative;height:.5rem;background:var(--soft);margin:.2rem 0}
.bar i{position:absolute;height:100%;min-width:2px;background:var(--good)}
.bad .bar i{background:var(--bad)}.bad summary,.failed{color:var(--bad)}
.plan .bar i{background:var(--dim);opacity:.5}.message{white-space:pre-wrap;padding-left:1rem}
pre{white-space:pre-wrap;background:var(--soft);padding:.5rem;margin:.3rem 0}
.time,#shown{color:var(--dim)}[hidden]{display:none}
</style>
)";

// Texts are put in lower case once: a page of a thousand targets is searched while one types.
constexpr std::string_view page_script = R"(<script>
(()=>{
const search=document.getElementById('search'),only=document.getElementById('only'),shown=document.getElementById('shown');
const rows=[...document.querySelectorAll('main>*')].map(row=>({row,bad:row.classList.contains('bad'),text:row.textContent.toLowerCase()}));
const show=()=>{
const wanted=search.value.toLowerCase();let count=0;
for(const {row,bad,text} of rows){row.hidden=only.checked&&!bad||!text.includes(wanted);if(!row.hidden)count++}
shown.textContent=count+' of '+rows.length+' lines';
};
let timer;search.addEventListener('input',()=>{clearTimeout(timer);timer=setTimeout(show,100)});
only.addEventListener('change',show);show();
})();
</script></html>
)";

/// Nothing in the result means anything to a browser. Control characters are shown as their pictures.
std::string page_text(std::string_view text) {
    std::string out;
    for (const char c : scrub_utf8(text)) {
        const auto byte = static_cast<unsigned char>(c);
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            case '\'':
                out += "&#39;";
                break;
            case '\n':
            case '\t':
                out += c;
                break;
            default:
                if (byte < 0x20) {  // U+2400 and so on
                    out += {'\xe2', '\x90', static_cast<char>(0x80 + byte)};
                } else if (byte == 0x7f) {
                    out += "\xe2\x90\xa1";
                } else {
                    out += c;
                }
        }
    }
    return out;
}

std::string page_bar(const ReportEntry& entry, double total) {
    const double scale = 100.0 / std::max(total, 0.001);
    const double left = std::clamp(entry.begin * scale, 0.0, 99.7);
    const double width = std::clamp((entry.end - entry.begin) * scale, 0.3, 100.0 - left);
    return fmt::format("<div class=\"bar\"><i style=\"left:{:.2f}%;width:{:.2f}%\"></i></div>", left, width);
}

std::string page_row(const ReportEntry& entry, double total) {
    const std::string time = fmt::format("<span class=\"time\">{:.2f} s</span>", entry.end - entry.begin);
    switch (entry.what) {
        case ReportEntry::What::Message:
            return "<div class=\"other message\">" + page_text(entry.name) + "</div>\n";
        case ReportEntry::What::Plan:
            return "<div class=\"other plan\">plan <b>" + page_text(entry.name) + "</b> " + time +
                   page_bar(entry, total) + "</div>\n";
        case ReportEntry::What::Step:
            break;
    }
    return fmt::format("<details{}><summary><b>{}</b> {} {}{}</summary><pre>{}</pre></details>\n",
                       entry.ok ? "" : " class=\"bad\" open", page_text(entry.target), page_text(entry.name),
                       time, page_bar(entry, total), page_text(entry.output));
}

}  // namespace

std::string report_page(const ReportHead& head, const std::vector<ReportEntry>& entries) {
    const auto is_step = [](const ReportEntry& one) { return one.what == ReportEntry::What::Step; };
    const auto steps = std::count_if(entries.begin(), entries.end(), is_step);
    const auto failed =
        std::count_if(entries.begin(), entries.end(), [](const ReportEntry& one) { return !one.ok; });
    std::string html(page_head);
    html += "<title>" + page_text(head.title) + "</title>\n";
    html += page_style;
    html += fmt::format("<h1>{}: <span class=\"{}\">{}</span></h1>\n", page_text(head.title),
                        head.ok ? "time" : "failed", head.ok ? "finished" : "failed");
    html += fmt::format(
        "<p>{:%Y-%m-%d %H:%M:%S} UTC, {:.1f} s, {} results, <span class=\"{}\">{} failed</span></p>\n",
        fmt::gmtime(std::chrono::system_clock::to_time_t(head.date)), head.seconds, steps,
        failed > 0 ? "failed" : "time", failed);
    if (!head.error.empty()) html += "<pre class=\"failed\">" + page_text(head.error) + "</pre>\n";
    html +=
        "<input id=\"search\" type=\"search\" placeholder=\"Search targets, steps, output\" "
        "aria-label=\"Search\">\n"
        "<p><label><input id=\"only\" type=\"checkbox\"> failures only</label> <span "
        "id=\"shown\"></span></p>\n<main>\n";
    for (const ReportEntry& entry : entries) html += page_row(entry, head.seconds);
    html += "</main>\n";
    html += page_script;
    return html;
}

}  // namespace volley::planner
