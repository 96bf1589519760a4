#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "cli/outputters/human.hpp"
#include "support/unicode/utf8.hpp"

namespace volley::cli {
namespace {

/// The human format in all colors (OUT-033). A sine wave a color, a third of a turn apart; every line starts
/// a little further along. Difference from Bolt: a single guide can be shown, too (OUT-034).
class RainbowOutputter final : public HumanOutputter {
public:
    using HumanOutputter::HumanOutputter;

protected:
    std::string colorize(Color color, std::string_view text) override {
        if (!colors() || (color != Color::Green && color != Color::Plain)) {
            return HumanOutputter::colorize(color, text);
        }
        std::string out;
        while (!text.empty()) {
            const std::size_t length = next_character(text, 0);
            if (text.front() == '\n') {
                phase_ = ++line_;
                out += '\n';
            } else {
                out += paint(text.substr(0, length));
            }
            text.remove_prefix(length);
        }
        return out;
    }

private:
    std::string paint(std::string_view character) {
        const auto wave = [this](double shift) {
            return static_cast<int>(std::sin(0.3 * phase_ + shift * std::numbers::pi) * 127 + 128);
        };
        std::string out =
            fmt::format("\x1b[38;2;{};{};{}m{}\x1b[0m", wave(0), wave(2.0 / 3), wave(4.0 / 3), character);
        phase_ += 1.0 / 8;
        return out;
    }

    double line_ = 0;
    double phase_ = 0;
};

}  // namespace

std::unique_ptr<Outputter> make_rainbow_outputter(Console& console, OutputSettings settings) {
    return std::make_unique<RainbowOutputter>(console, settings);
}

}  // namespace volley::cli
