#include "support/json/json_reader.hpp"

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <new>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "support/json/json_parts.hpp"

namespace volley {
namespace {

/// Where the list or object begins that is one too deep.
std::size_t place_of_depth(std::string_view text, std::size_t limit) {
    std::size_t depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c == '\\') ++i;
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '[' || c == '{') {
            if (++depth > limit) return i;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return text.size();
}

/// "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while parsing value -
/// invalid literal; last read: '{x'; expected ']'" becomes "invalid literal, expected ']'". What was read is
/// left out: it may be secret.
std::string reason_of(std::string_view message) {
    if (const std::size_t dash = message.find(" - "); dash != std::string_view::npos)
        message.remove_prefix(dash + 3);
    const std::size_t read = message.find("; last read: '");
    const std::size_t expected = message.rfind("; expected ");
    std::string reason(message.substr(0, std::min(read, expected)));
    if (expected != std::string_view::npos) reason += ", " + std::string(message.substr(expected + 2));
    return reason;
}

/// Counts what comes by and passes it on.
class LimitedEvents final : public nlohmann::json_sax<Json> {
public:
    LimitedEvents(std::string_view text, nlohmann::json_sax<Json>& events, const JsonLimits& limits)
        : text_(text), events_(events), limits_(limits) {}

    /// The text is read again from its beginning: what was passed on is not passed on again.
    void begin_again() {
        skipped_ = std::exchange(passed_, 0);
        depth_ = values_ = 0;
    }

    bool null() override { return count() && (is_known() || events_.null()); }
    bool boolean(bool value) override { return count() && (is_known() || events_.boolean(value)); }
    bool number_integer(number_integer_t value) override {
        return count() && (is_known() || events_.number_integer(value));
    }
    bool number_unsigned(number_unsigned_t value) override {
        return count() && (is_known() || events_.number_unsigned(value));
    }
    bool number_float(number_float_t value, const string_t& written) override {
        return count() && (is_known() || events_.number_float(value, written));
    }
    bool string(string_t& value) override { return count() && (is_known() || events_.string(value)); }
    bool binary(binary_t&) override { return false; }  // no text holds any
    bool key(string_t& name) override { return is_known() || events_.key(name); }
    bool start_object(std::size_t size) override {
        return begin() && (is_known() || events_.start_object(size));
    }
    bool start_array(std::size_t size) override {
        return begin() && (is_known() || events_.start_array(size));
    }
    bool end_object() override { return end() && (is_known() || events_.end_object()); }
    bool end_array() override { return end() && (is_known() || events_.end_array()); }

    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception& problem) override {
        if (text_.find_first_not_of(" \t\r\n") == std::string_view::npos)
            throw JsonError(text_, 0, "the text is empty");
        const std::size_t offset = position > 0 ? position - 1 : 0;
        const bool syntax = dynamic_cast<const Json::parse_error*>(&problem) != nullptr;
        throw JsonError(text_, offset, syntax ? reason_of(problem.what()) : "the number is too large");
    }

private:
    /// Of each event, once.
    bool is_known() {
        ++passed_;
        return passed_ <= skipped_;
    }
    bool count() {
        if (++values_ > limits_.values)
            throw JsonError(text_, text_.size(), "larger than " + std::to_string(limits_.values) + " values",
                            JsonError::Fault::Limit);
        return true;
    }
    bool begin() {
        if (++depth_ > limits_.depth)
            throw JsonError(text_, place_of_depth(text_, limits_.depth),
                            "nested more than " + std::to_string(limits_.depth) + " levels deep",
                            JsonError::Fault::Limit);
        return count();
    }
    bool end() {
        --depth_;
        return true;
    }

    const std::string_view text_;
    nlohmann::json_sax<Json>& events_;
    const JsonLimits& limits_;
    std::size_t depth_ = 0;
    std::size_t values_ = 0;
    std::size_t passed_ = 0;
    std::size_t skipped_ = 0;
};

/// What Boost.JSON's reader asks of whoever listens, passed on. It takes half of the instructions of the
/// library's own reader, but says less about errors, and recurses: what it does not take is read by the other
/// one.
class QuickReader {
public:
    static constexpr std::size_t max_object_size = SIZE_MAX;
    static constexpr std::size_t max_array_size = SIZE_MAX;
    static constexpr std::size_t max_key_size = SIZE_MAX;
    static constexpr std::size_t max_string_size = SIZE_MAX;
    using Error = boost::json::error_code;
    using View = boost::json::string_view;

    explicit QuickReader(LimitedEvents& events) : events_(events) {}

    bool on_document_begin(Error&) { return true; }
    bool on_document_end(Error&) { return true; }
    bool on_object_begin(Error&) { return events_.start_object(0); }
    bool on_object_end(std::size_t, Error&) { return events_.end_object(); }
    bool on_array_begin(Error&) { return events_.start_array(0); }
    bool on_array_end(std::size_t, Error&) { return events_.end_array(); }
    bool on_key_part(View part, std::size_t, Error&) { return keep(part); }
    bool on_key(View part, std::size_t, Error&) { return keep(part) && events_.key(text_) && forget(); }
    bool on_string_part(View part, std::size_t, Error&) { return keep(part); }
    bool on_string(View part, std::size_t, Error&) { return keep(part) && events_.string(text_) && forget(); }
    bool on_number_part(View part, Error&) { return keep(part); }
    bool on_int64(std::int64_t value, View part, Error&) {
        keep(part);
        const bool is_negative = text_.starts_with('-');
        forget();
        return is_negative ? events_.number_integer(value)
                           : events_.number_unsigned(static_cast<std::uint64_t>(value));
    }
    bool on_uint64(std::uint64_t value, View, Error&) { return forget() && events_.number_unsigned(value); }
    /// Boost.JSON makes numbers that may be beside the nearest one: they are made of the text again.
    bool on_double(double, View part, Error& failed) {
        keep(part);
        double value = 0;
        const char* const end = text_.data() + text_.size();
        const auto [read, problem] = std::from_chars(text_.data(), end, value);
        if (problem != std::errc() || read != end) {
            failed = boost::json::error::not_number;
            return false;
        }
        return events_.number_float(value, text_) && forget();
    }
    bool on_bool(bool value, Error&) { return events_.boolean(value); }
    bool on_null(Error&) { return events_.null(); }
    bool on_comment_part(View, Error&) { return false; }
    bool on_comment(View, Error&) { return false; }

private:
    bool keep(View part) {
        text_.append(part.data(), part.size());
        return true;
    }
    bool forget() {
        text_.clear();
        return true;
    }

    LimitedEvents& events_;
    std::string text_;  // of what is being read
};

/// Levels of lists and objects for which the quick reader's recursion is no matter, on any stack.
constexpr std::size_t shallow = 64;

/// Makes the document. The members of what is open wait in a stack until its end: an object is then made with
/// the capacity that it needs, instead of growing, and moving its members, again and again.
class DocumentBuilder final : public nlohmann::json_sax<Json> {
public:
    DocumentBuilder() = default;
    DocumentBuilder(const DocumentBuilder&) = delete;
    DocumentBuilder& operator=(const DocumentBuilder&) = delete;

    Json document;

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override { return add(value); }
    bool number_float(number_float_t value, const string_t&) override { return add(value); }
    bool string(string_t& value) override { return add(std::move(value)); }
    bool binary(binary_t&) override { return false; }
    bool key(string_t& name) override {
        members_.emplace_back(std::move(name), Json());
        return true;
    }
    bool start_object(std::size_t) override { return open(members_.size(), true); }
    bool start_array(std::size_t) override { return open(items_.size(), false); }
    bool end_object() override {
        const auto first = members_.begin() + close();
        Json::object_t object;
        object.take(first, members_.end());
        members_.erase(first, members_.end());
        return add(std::move(object));
    }
    bool end_array() override {
        const auto first = items_.begin() + close();
        Json::array_t array(std::make_move_iterator(first), std::make_move_iterator(items_.end()));
        items_.erase(first, items_.end());
        return add(std::move(array));
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
        return false;
    }

private:
    struct Open {
        std::ptrdiff_t first;  // of its members or items
        bool is_object;
    };

    template <class T>
    bool add(T&& value) {
        if (open_.empty())
            document = Json(std::forward<T>(value));
        else if (open_.back().is_object)
            members_.back().second = Json(std::forward<T>(value));
        else
            items_.emplace_back(std::forward<T>(value));
        return true;
    }
    bool open(std::size_t first, bool is_object) {
        open_.push_back({static_cast<std::ptrdiff_t>(first), is_object});
        return true;
    }
    std::ptrdiff_t close() {
        const std::ptrdiff_t first = open_.back().first;
        open_.pop_back();
        return first;
    }

    std::vector<Open> open_;
    std::vector<Json::object_t::value_type> members_;  // of the objects that are open
    std::vector<Json> items_;                          // of the lists that are open
};

/// Passes what is inside of a part on to a builder, and hands the part over at its end.
class PartsReader final : public nlohmann::json_sax<Json> {
public:
    explicit PartsReader(JsonParts& parts) : parts_(parts) {}

    bool is_object() const noexcept { return is_object_; }

    bool null() override { return builder_.null() && close(0); }
    bool boolean(bool value) override { return builder_.boolean(value) && close(0); }
    bool number_integer(number_integer_t value) override {
        return builder_.number_integer(value) && close(0);
    }
    bool number_unsigned(number_unsigned_t value) override {
        return builder_.number_unsigned(value) && close(0);
    }
    bool number_float(number_float_t value, const string_t& written) override {
        return builder_.number_float(value, written) && close(0);
    }
    bool string(string_t& value) override { return builder_.string(value) && close(0); }
    bool binary(binary_t&) override { return false; }
    bool key(string_t& name) override {
        if (open_ > 0) return builder_.key(name);
        name_ = std::move(name);
        return true;
    }
    bool start_object(std::size_t size) override {
        if (place_ == Place::Outside && open_ == 0) {
            place_ = Place::Members;
            return is_object_ = true;
        }
        ++open_;
        return builder_.start_object(size);
    }
    bool start_array(std::size_t size) override {
        if (place_ == Place::Members && open_ == 0 && parts_.wants_items(name_)) {
            place_ = Place::Items;
            return true;
        }
        ++open_;
        return builder_.start_array(size);
    }
    bool end_object() override {
        if (open_ > 0) return builder_.end_object() && close(1);
        place_ = Place::Outside;
        return true;
    }
    bool end_array() override {
        if (open_ > 0) return builder_.end_array() && close(1);
        place_ = Place::Members;
        parts_.member(name_, Json::array());
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
        return false;
    }

private:
    enum class Place { Outside, Members, Items };

    bool close(std::size_t levels) {
        open_ -= levels;
        if (open_ > 0) return true;
        Json part = std::exchange(builder_.document, Json());
        if (place_ == Place::Members) parts_.member(name_, std::move(part));
        if (place_ == Place::Items) parts_.item(name_, std::move(part));
        return true;
    }

    JsonParts& parts_;
    DocumentBuilder builder_;
    std::string name_;
    Place place_ = Place::Outside;
    std::size_t open_ = 0;  // lists and objects inside of the part
    bool is_object_ = false;
};

}  // namespace

JsonError::Place JsonError::place_in(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, offset);
    const auto lines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    return {lines + 1,
            before.size() - (before.rfind('\n') + 1) + 1};  // npos + 1 is the beginning of the text
}

JsonError::JsonError(Place place, std::size_t offset, const std::string& reason, Fault fault)
    : std::runtime_error("line " + std::to_string(place.line) + ", column " + std::to_string(place.column) +
                         ": " + reason),
      offset_(offset),
      line_(place.line),
      column_(place.column),
      reason_(reason),
      fault_(fault) {}

JsonError::JsonError(std::string_view text, std::size_t offset, const std::string& reason, Fault fault)
    : JsonError(place_in(text, std::min(offset, text.size())), std::min(offset, text.size()), reason, fault) {
}

void read_json_events(std::string_view text, nlohmann::json_sax<Json>& events, const JsonLimits& limits) {
    if (text.size() > limits.bytes)
        throw JsonError(text, 0, "longer than " + std::to_string(limits.bytes) + " bytes",
                        JsonError::Fault::Limit);
    LimitedEvents limited(text, events, limits);
    boost::json::parse_options options;
    options.max_depth = shallow;
    boost::json::basic_parser<QuickReader> quick(options, limited);
    boost::json::error_code failed;
    const std::size_t read = quick.write_some(false, text.data(), text.size(), failed);
    if (!failed && quick.done() && read == text.size()) return;
    limited.begin_again();
    Json::sax_parse(text, &limited);
}

std::string plain_message(const std::exception& error) {
    std::string_view text = error.what();
    if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return "There is not enough memory for this";
    if (!text.starts_with("[json.exception.")) return std::string(text);
    text.remove_prefix(std::min(text.find("] ") + 2, text.size()));
    return "JSON data do not have the form that is expected: " + std::string(text);
}

Json parse_json(std::string_view text, const JsonLimits& limits) {
    DocumentBuilder builder;
    read_json_events(text, builder, limits);
    return std::move(builder.document);
}

bool read_json_parts(std::string_view text, JsonParts& parts, const JsonLimits& limits) {
    PartsReader reader(parts);
    read_json_events(text, reader, limits);
    return reader.is_object();
}

Json try_parse_json(std::string_view text, std::string& fault, const JsonLimits& limits) {
    try {
        return parse_json(text, limits);
    } catch (const JsonError& error) {
        fault = error.what();
        return Json(Json::value_t::discarded);
    }
}

Json try_parse_json(std::string_view text, const JsonLimits& limits) {
    std::string fault;
    return try_parse_json(text, fault, limits);
}

}  // namespace volley
