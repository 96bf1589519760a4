#include <nlohmann/json.hpp>

#include "apply/agent/facts/external/external.hpp"
#include "support/text.hpp"
#include "support/yaml/common.hpp"
#include "support/yaml/scalar.hpp"

namespace volley::agent {
namespace {

constexpr int deepest_yaml = 100;

using YamlToken = yaml::CommonYaml::Token;

/// Builds the value of a row of tokens.
class YamlTree {
public:
    explicit YamlTree(const std::vector<YamlToken>& tokens) : tokens_(tokens) {}

    /// The next value; discarded when it is nested too deeply.
    Json value(int depth = 0) {
        if (at_ >= tokens_.size()) return {};
        const YamlToken& token = tokens_[at_++];
        if (depth > deepest_yaml) too_deep_ = true;
        if (token.type == YamlToken::Type::Scalar) {
            const yaml::Kind kind = token.plain ? yaml::resolve_plain(token.text) : yaml::Kind::String;
            return yaml::scalar_value(kind, token.text);
        }
        const bool map = token.type == YamlToken::Type::Map;
        Json filled = map ? Json::object() : Json::array();
        while (at_ < tokens_.size() && tokens_[at_].type != YamlToken::Type::Close && !too_deep_) {
            if (map) {
                const Json key = value(depth + 1);
                filled[key.is_string() ? key.get<std::string>() : key.dump()] = value(depth + 1);
            } else {
                filled.push_back(value(depth + 1));
            }
        }
        ++at_;
        return filled;
    }
    bool too_deep() const noexcept { return too_deep_; }

private:
    const std::vector<YamlToken>& tokens_;
    std::size_t at_ = 0;
    bool too_deep_ = false;
};

}  // namespace

Json yaml_value(std::string_view text) {
    Json none(Json::value_t::discarded);
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') return none;
    }
    if (!is_utf8(text)) return none;
    yaml::CommonYaml common(text);
    if (!common.read()) return none;
    YamlTree tree(common.tokens());
    Json value = tree.value();
    return tree.too_deep() ? none : value;
}

}  // namespace volley::agent
