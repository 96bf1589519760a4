#include "transports/shell/powershell/command_line_session.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "support/text.hpp"
#include "transports/shell/powershell/scripts.hpp"

namespace volley::transports {
namespace {

std::string word(const std::string& text) { return " " + (text.empty() ? "-" : base64_encode(text)); }

std::string first_line(const PowerShellScript& script) {
    std::string line = script.use == PowerShellUse::Action ? "action" : "housekeeping";
    line += word(script.text);
    for (const std::string& argument : script.arguments) line += word(argument);
    return line + "\n";
}

/// A line, and then the pieces of another input in base64, a line each.
class LinesInput final : public Input {
public:
    LinesInput(std::string line, Input& body) : pending_(std::move(line)), body_(body) {}

    std::size_t read(std::span<char> buffer) override {
        if (at_ == pending_.size()) {
            at_ = 0;
            pending_.clear();
            std::array<char, 48 * 1024> piece{};
            const std::size_t n = body_.finished() ? 0 : body_.read(piece);
            if (n == 0) return 0;
            pending_ = base64_encode({piece.data(), n}) + "\n";
        }
        const std::size_t n = std::min(buffer.size(), pending_.size() - at_);
        std::copy_n(pending_.data() + at_, n, buffer.data());
        at_ += n;
        return n;
    }
    bool finished() const noexcept override { return at_ == pending_.size() && body_.finished(); }
    void on_ready(std::function<void()> wake) override { body_.on_ready(std::move(wake)); }

private:
    std::string pending_;
    std::size_t at_ = 0;
    Input& body_;
};

/// UTF-16, as -EncodedCommand wants it; the text is ASCII.
std::string wide(std::string_view text) {
    std::string bytes;
    for (const char c : text) bytes.append({c, '\0'});
    return bytes;
}

}  // namespace

std::optional<LineReader> powershell_reader(const TargetConfig& target) {
    const Json login_shell = target.options ? target.options->value("login-shell", Json()) : Json();
    if (login_shell == "powershell") return LineReader::PowerShell;
    // Where there is no choice of a login shell, commands go to a known one.
    if (target.runs_powershell && !login_shell.is_null()) return LineReader::Other;
    return std::nullopt;
}

std::string powershell_line(LineReader reader) {
    std::string line = powershell_text("bootstrap");
    std::replace(line.begin(), line.end(), '\n', ' ');
    if (reader == LineReader::PowerShell) return line;
    return "powershell.exe -NoLogo -NoProfile -NonInteractive -ExecutionPolicy Bypass -OutputFormat Text "
           "-EncodedCommand " +
           base64_encode(wide(line));
}

Task<ExitStatus> CommandLineSession::run(const PowerShellScript& script, Input& input, OutputSink& sink) {
    NoInput nothing;
    Input& body = script.use == PowerShellUse::Action ? nothing : input;
    LinesInput lines(first_line(script), body);
    const Command command{line_};
    auto running = connection_.execute(command, lines, sink);
    co_return co_await std::move(running);
}

}  // namespace volley::transports
