#pragma once

#include <string>
#include <string_view>

#include "support/error.hpp"
#include "support/yaml/events.hpp"

namespace volley::yaml::testing {

/// Events as text; where nothing is written the readers may differ about the place.
class Transcript final : public Events {
public:
    void scalar(const Node& node, std::string_view text, bool plain) override {
        add(plain ? "plain" : "quoted", node);
        out += " [" + std::string(text) + "]";
        if (plain && text.empty()) out.erase(out.rfind('\n'), std::string::npos), out += "\nnull";
    }
    void alias(std::size_t anchor, Position) override { out += "\nalias " + std::to_string(anchor); }
    void open(Kind kind, const Node& node) override { add(to_string(kind), node); }
    void close() override { out += "\nclose"; }
    std::string out;

private:
    void add(std::string_view what, const Node& node) {
        out += "\n" + std::string(what) + " " + std::string(node.tag) + std::to_string(node.anchor) + " " +
               std::to_string(node.at.line) + ":" + std::to_string(node.at.column);
    }
};

/// What read() (or read_fully()) makes of a text: its events, or the error.
inline std::string transcript_of(std::string_view text, bool fully) {
    static const Source source{"test.yaml", "test file"};
    Transcript transcript;
    try {
        if (fully)
            read_fully(text, source, transcript);
        else
            read(text, source, transcript);
    } catch (const Error& error) {
        return "error " + std::string(error.what());
    }
    return transcript.out;
}

}  // namespace volley::yaml::testing
