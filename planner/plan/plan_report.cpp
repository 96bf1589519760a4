#include "planner/plan/plan_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "planner/plan/plan_run.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

constexpr std::size_t report_output_kept = 100 * 1024;  // of each target's output

constexpr std::string_view report_style = R"(
body{font:15px/1.4 system-ui,sans-serif;margin:0 auto;max-width:70rem;padding:1rem;color:#222;background:#fff}
h1{font-size:1.3rem}input{font:inherit;width:100%;box-sizing:border-box;padding:.5rem;margin:.5rem 0}
details{border-bottom:1px solid #ddd;padding:.3rem 0}summary{cursor:pointer;overflow-wrap:anywhere}
.bar{position:relative;height:.5rem;background:#eee;margin:.2rem 0}.bar i{position:absolute;height:100%;background:#4a8}
.bad .bar i{background:#c33}.bad summary{color:#a11}pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f6f6f6;padding:.5rem}
.time{color:#777}.failed{color:#a11}@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}pre{background:#222}
.bar{background:#333}details{border-color:#333}.bad summary,.failed{color:#f77}})";

constexpr std::string_view report_script = R"(
const q=document.getElementById('q'),rows=[...document.querySelectorAll('details')];
q.addEventListener('input',()=>{const w=q.value.toLowerCase();rows.forEach(r=>{r.hidden=!r.textContent.toLowerCase().includes(w)})});)";

std::string report_escape(std::string_view text) {
    std::string out;
    for (const char c : scrub_utf8(text)) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            default: out += c;
        }
    }
    return out;
}

std::string report_output(const Result& result) {
    std::string text;
    if (const transports::Output* output = result.output()) {
        text = output->captured.merged().substr(0, report_output_kept);
    } else {
        text = result.value().dump(2, ' ', false, Json::error_handler_t::replace).substr(0, report_output_kept);
    }
    if (!result.ok() && result.error().contains("msg")) text = result.error().value("msg", "") + "\n" + text;
    return text;
}

}  // namespace

void PlanReport::on_event(const Event& event) {
    if (const auto* started = std::get_if<ActionStarted>(&event)) {
        steps_.emplace_back(started->description);
    } else if (const auto* done = std::get_if<TargetFinished>(&event)) {
        const double end = now();
        const double length = std::chrono::duration<double>(done->elapsed).count();
        pieces_.push_back({done->result.target(), steps_.empty() ? done->result.action() : steps_.back(),
                           std::max(0.0, end - length), end, done->result.ok(), report_output(done->result)});
    } else if (const auto* finished = std::get_if<ActionFinished>(&event)) {
        const auto known = std::find(steps_.rbegin(), steps_.rend(), finished->description);
        if (known != steps_.rend()) steps_.erase(std::next(known).base());
    } else if (const auto* message = std::get_if<Message>(&event)) {
        messages_.emplace_back(message->text);
    }
}

std::string PlanReport::row(const Piece& piece, double total) const {
    const double scale = 100.0 / std::max(total, 0.001);
    return fmt::format(
        "<details{}><summary><b>{}</b> {} <span class=time>{:.2f} s</span><div class=bar><i style=\"left:{:.2f}%;"
        "width:{:.2f}%\"></i></div></summary><pre>{}</pre></details>\n",
        piece.ok ? "" : " class=bad open", report_escape(piece.target), report_escape(piece.step),
        piece.end - piece.begin, piece.begin * scale, std::max(0.3, (piece.end - piece.begin) * scale),
        report_escape(piece.output));
}

std::string PlanReport::page(const std::string& plan, const PlanOutcome& outcome) const {
    const double total = now();
    const auto failed = std::count_if(pieces_.begin(), pieces_.end(), [](const Piece& one) { return !one.ok; });
    std::string html = "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport "
                       "content=\"width=device-width,initial-scale=1\"><title>" +
                       report_escape(plan) + "</title><style>" + std::string(report_style) + "</style>\n";
    html += fmt::format("<h1>Plan {}: {}</h1><p>{} results, <span class={}>{} failed</span>, {:.1f} s</p>\n",
                        report_escape(plan), outcome.ok() ? "finished" : "failed", pieces_.size(),
                        failed > 0 ? "failed" : "time", failed, total);
    if (outcome.error) html += "<pre class=failed>" + report_escape(outcome.error->msg()) + "</pre>\n";
    html += "<input id=q type=search placeholder=\"Search targets, steps, output\" aria-label=Search>\n";
    for (const Piece& piece : pieces_) html += row(piece, total);
    if (!messages_.empty()) {
        html += "<h2>Messages</h2><pre>";
        for (const std::string& message : messages_) html += report_escape(message) + "\n";
        html += "</pre>\n";
    }
    return html + "<script>" + std::string(report_script) + "</script></html>\n";
}

void PlanReport::write(const std::filesystem::path& file, const std::string& plan, const PlanOutcome& outcome) const {
    write_file_atomically(file, page(plan, outcome));
}

}  // namespace volley::planner
