#include "language/lookup/data/yaml_value.hpp"

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <vector>

#include "language/binary.hpp"
#include "language/errors.hpp"
#include "language/lookup/data/symbol.hpp"
#include "language/serialization/json.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "support/yaml/events.hpp"
#include "support/yaml/scalar.hpp"

namespace volley::lookup {
namespace {

constexpr std::string_view core_tag = "tag:yaml.org,2002:";
// Aliases share what they stand for, but whoever walks over the data sees it again each time.
constexpr std::size_t maximum_weight = 20'000'000;

bool yaml_is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// Reads at most `most` digits and says how many there were.
std::size_t yaml_digits(std::string_view text, std::size_t at, std::size_t most) noexcept {
    std::size_t count = 0;
    while (count < most && at + count < text.size() && yaml_is_digit(text[at + count])) ++count;
    return count;
}

/// Whether Psych makes a Date of it (month and day in range), or would of its first part.
bool yaml_starts_with_date(std::string_view text, bool in_range, std::size_t& end) noexcept {
    if (yaml_digits(text, 0, 4) != 4 || text.size() < 8 || text[4] != '-') return false;
    const std::size_t month = yaml_digits(text, 5, 2);
    if (month == 0 || 5 + month >= text.size() || text[5 + month] != '-') return false;
    const std::size_t day = yaml_digits(text, 6 + month, 2);
    if (day == 0) return false;
    end = 6 + month + day;
    if (!in_range) return true;
    const int month_number = std::atoi(std::string(text.substr(5, month)).c_str());
    const int day_number = std::atoi(std::string(text.substr(6 + month, day)).c_str());
    return month_number <= 12 && day_number <= 31;
}

bool yaml_is_date(std::string_view text) noexcept {
    std::size_t end = 0;
    return yaml_starts_with_date(text, true, end) && end == text.size();
}

bool yaml_is_time(std::string_view text) noexcept {
    std::size_t at = 0;
    if (!yaml_starts_with_date(text, false, at) || at >= text.size()) return false;
    if (text[at] == 'T' || text[at] == 't') {
        ++at;
    } else {
        const std::size_t start = at;
        while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
        if (at == start) return false;
    }
    const std::size_t hours = yaml_digits(text, at, 2);
    at += hours;
    for (int part = 0; part < 2; ++part) {
        if (hours == 0 || at >= text.size() || text[at] != ':' || yaml_digits(text, at + 1, 2) != 2)
            return false;
        at += 3;
    }
    if (at < text.size() && text[at] == '.') at += 1 + yaml_digits(text, at + 1, text.size());
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
    if (at < text.size() && text[at] == 'Z') return at + 1 == text.size();
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) {
        at += 1 + yaml_digits(text, at + 1, 2);
        if (at < text.size() && text[at] == ':') ++at;
        at += yaml_digits(text, at, 2);
    }
    return at == text.size();
}

/// Puts values together from the events of the reader, as Psych's ToRuby does.
class YamlValues final : public yaml::Events {
public:
    explicit YamlValues(const yaml::Source& source) : source_(source) {}

    void scalar(const Node& node, std::string_view text, bool plain) override {
        add(scalar_value(node, text, plain), node.anchor, 1, false);
    }
    void alias(std::size_t anchor, yaml::Position at) override {
        if (anchor >= anchors_.size() || !anchors_[anchor].known)
            yaml::fail(source_, "an alias stands inside of what it is an alias for", at);
        const Anchor& known = anchors_[anchor];
        if (weight_ + known.weight > maximum_weight)
            yaml::fail(source_,
                       "its aliases stand for more than " + std::to_string(maximum_weight) + " values", at);
        add(known.value, 0, known.weight, true);
    }
    void open(yaml::Kind kind, const Node& node) override {
        refuse_ruby(node);
        if (node.tag == "tag:yaml.org,2002:set") refuse("Psych::Set");
        Frame frame;
        frame.map = kind == yaml::Kind::Map;
        frame.ordered_map = !frame.map && (node.tag == "tag:yaml.org,2002:omap" || node.tag == "!omap");
        frame.anchor = node.anchor;
        frame.weight_before = weight_;
        frames_.push_back(std::move(frame));
    }
    void close() override {
        Frame frame = std::move(frames_.back());
        frames_.pop_back();
        Value value = frame.map ? frame.entries.build() : Value(std::move(frame.items));
        if (frame.ordered_map) value = merged_list(value.as_array());
        const std::size_t weight = weight_ - frame.weight_before + 1;
        weight_ = frame.weight_before;
        add(std::move(value), frame.anchor, weight, true);
    }
    Value result() { return std::move(root_); }

private:
    struct Anchor {
        bool known = false;
        Value value;
        std::size_t weight = 0;
    };
    struct Frame {
        bool map = false;
        bool ordered_map = false;
        bool has_key = false;
        bool merges = false;  // the key is "<<"
        Value key;
        HashBuilder entries;
        std::vector<Value> items;
        std::size_t anchor = 0;
        std::size_t weight_before = 0;
    };

    [[noreturn]] void refuse(const std::string& ruby_class) const {
        throw LookupError("(" + source_.name + "): Tried to load unspecified class: " + ruby_class);
    }

    void refuse_ruby(const Node& node) const {
        if (!node.tag.starts_with("!ruby/")) return;
        const std::size_t colon = node.tag.find(':');
        refuse(colon == std::string_view::npos ? std::string(node.tag.substr(6))
                                               : std::string(node.tag.substr(colon + 1)));
    }

    static Value plain_value(const YamlValues& self, std::string_view text) {
        if (text.size() > 1 && text[0] == ':') {
            text.remove_prefix(1);
            const bool quoted =
                text.size() > 1 && (text[0] == '"' || text[0] == '\'') && text.back() == text[0];
            return Symbol::make(std::string(quoted ? text.substr(1, text.size() - 2) : text));
        }
        if (yaml_is_time(text)) self.refuse("Time");
        if (yaml_is_date(text)) self.refuse("Date");
        const yaml::Kind kind = yaml::resolve_plain(text);
        return kind == yaml::Kind::String ? Value(text) : from_json(yaml::scalar_value(kind, text));
    }

    Value scalar_value(const Node& node, std::string_view text, bool plain) const {
        std::string_view tag = node.tag;
        if (tag.empty()) return plain ? plain_value(*this, text) : Value(text);
        if (tag.starts_with(core_tag)) {
            tag.remove_prefix(core_tag.size());
        } else if (tag == "!ruby/sym" || tag == "!ruby/symbol") {
            return Symbol::make(std::string(text));
        } else if (tag == "!ruby/string") {
            return Value(text);
        } else {
            refuse_ruby(node);
            tag.remove_prefix(1);
        }
        if (tag == "str") return Value(text);
        if (tag == "binary") {
            if (auto bytes = base64_decode(text)) {
                // Compatibility: bytes that are not text become a Binary.
                return is_utf8(*bytes) ? Value(*std::move(bytes)) : Binary::make(*std::move(bytes));
            }
            yaml::fail(source_, "!!binary needs base64", node.at);
        }
        Value value = plain_value(*this, text);
        if (tag == "float" && value.is(Kind::Integer)) return static_cast<double>(value.as_integer());
        return value;
    }

    void add(Value value, std::size_t anchor, std::size_t weight, bool container) {
        if (anchor != 0) {
            if (anchor >= anchors_.size()) anchors_.resize(anchor + 1);
            anchors_[anchor] = {true, value, weight};
        }
        weight_ += weight;
        if (frames_.empty()) {
            root_ = std::move(value);
            return;
        }
        Frame& frame = frames_.back();
        if (!frame.map) {
            frame.items.push_back(std::move(value));
        } else if (!frame.has_key) {
            frame.has_key = true;
            if (const std::string* name = Symbol::name_of(value)) value = Value(*name);
            frame.merges = value.is_string() && value.as_string() == "<<";
            frame.key = std::move(value);
        } else {
            frame.has_key = false;
            if (!frame.merges || !container || !merge(frame.entries, value)) {
                frame.entries.set(std::move(frame.key), std::move(value));
            }
        }
    }

    /// "<<: {...}" and "<<: [{...}, {...}]", of which the first wins. Compatibility: what stands before the
    /// merge key is overwritten by it.
    static bool merge(HashBuilder& entries, const Value& value) {
        if (value.is_hash()) {
            for (const auto& entry : value.as_hash()) entries.set(entry.key, entry.value);
            return true;
        }
        if (!value.is_array()) return false;
        HashBuilder all;
        const auto& items = value.as_array().items();
        for (auto item = items.rbegin(); item != items.rend(); ++item) {
            if (!item->is_hash()) return false;
            for (const auto& entry : item->as_hash()) all.set(entry.key, entry.value);
        }
        const Value merged = all.build();
        for (const auto& entry : merged.as_hash()) entries.set(entry.key, entry.value);
        return true;
    }

    static Value merged_list(const Array& items) {
        HashBuilder all;
        for (const Value& item : items) {
            if (!item.is_hash()) continue;
            for (const auto& entry : item.as_hash()) all.set(entry.key, entry.value);
        }
        return all.build();
    }

    const yaml::Source& source_;
    std::vector<Frame> frames_;
    std::vector<Anchor> anchors_;
    std::size_t weight_ = 0;
    Value root_;
};

}  // namespace

Value yaml_value(std::string_view text, const std::string& path) {
    const yaml::Source source{path, "data file"};
    YamlValues values(source);
    try {
        yaml::read(text, source, values);
    } catch (const Error& error) {
        const Json& details = error.info().details();
        std::string problem = error.what();
        // "Cannot parse the data file PATH:1:2: problem" becomes Psych's shape.
        if (const std::size_t end = problem.find(": "); end != std::string::npos)
            problem = problem.substr(end + 2);
        throw LookupError("(" + path + "): " + problem + " at line " +
                          std::to_string(details.value("line", 0)) + " column " +
                          std::to_string(details.value("column", 0)));
    }
    return values.result();
}

}  // namespace volley::lookup
