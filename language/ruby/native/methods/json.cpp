#include <cmath>
#include <nlohmann/json.hpp>

#include "language/execution_state.hpp"
#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/text/characters.hpp"
#include "language/ruby/native/walk.hpp"
#include "language/text/text.hpp"
#include "support/json/json_reader.hpp"
#include "support/text/escapes.hpp"
#include "support/unicode/byte_order_mark.hpp"

/// JSON as Ruby's library reads and writes it.
namespace volley::ruby::methods {
namespace {

using Kind = Object::Kind;

constexpr std::size_t json_depth = 100;  // Ruby's own limit

std::string json_string(std::string_view text) {
    check_characters(text);
    std::string out = "\"";
    append_json_escaped(out, text);
    return out + '"';
}

class JsonWriter {
public:
    JsonWriter(const Call& call, bool pretty) : call_(call), pretty_(pretty) {}

    std::string write(const Object& object) {
        add(object, 0);
        return std::move(out_);
    }

private:
    void add(const Object& object, std::size_t depth) {
        call_.machine.step();
        if (depth > json_depth || stack_is_low()) not_native("JSON of objects that are nested too deeply");
        if (out_.size() > Heap::most_bytes) not_native("a very long text");
        switch (object.kind()) {
            case Kind::Nil:
                out_ += "null";
                return;
            case Kind::True:
            case Kind::False:
            case Kind::Integer:
                out_ += to_text(object);
                return;
            case Kind::Float:
                if (!std::isfinite(object.number())) not_native("JSON of infinity or NaN");
                out_ += float_text(object.number());
                return;
            case Kind::String:
                out_ += json_string(object.string().text);
                return;
            case Kind::Array:
                return add_array(object.array(), depth + 1);
            case Kind::Hash:
                return add_hash(object.hash(), depth + 1);
            case Kind::Symbol:
                out_ += json_string(object.name());
                return;
            default:
                not_native("JSON of such an object");
        }
    }
    void new_line(std::size_t depth) {
        if (!pretty_) return;
        out_ += '\n';
        out_.append(depth * 2, ' ');
    }
    void add_array(const Array& array, std::size_t depth) {
        if (array.items.empty()) {
            out_ += '[';
            if (pretty_) out_ += '\n';
            if (pretty_) new_line(depth - 1);
            out_ += ']';
            return;
        }
        out_ += '[';
        for (std::size_t at = 0; at < array.items.size(); ++at) {
            if (at > 0) out_ += ',';
            new_line(depth);
            add(array.items[at], depth);
        }
        new_line(depth - 1);
        out_ += ']';
    }
    void add_hash(const Hash& hash, std::size_t depth) {
        if (hash.entries.empty()) {
            out_ += '{';
            new_line(depth - 1);
            out_ += '}';
            return;
        }
        out_ += '{';
        for (std::size_t at = 0; at < hash.entries.size(); ++at) {
            if (at > 0) out_ += ',';
            new_line(depth);
            out_ += json_string(text_of(call_, hash.entries[at].key));
            out_ += pretty_ ? ": " : ":";
            add(hash.entries[at].value, depth);
        }
        new_line(depth - 1);
        out_ += '}';
    }

    const Call& call_;
    const bool pretty_;
    std::string out_;
};

/// Builds objects while a text is read. Whatever Ruby might read differently ends in NotNative.
class JsonReader final : public nlohmann::json_sax<Json> {
public:
    JsonReader(const Call& call, bool symbols) : call_(call), symbols_(symbols) {}
    Object result;

    bool null() override { return put({}); }
    bool boolean(bool value) override { return put(Object(value)); }
    bool number_integer(number_integer_t value) override {
        return put(Object(static_cast<std::int64_t>(value)));
    }
    bool number_unsigned(number_unsigned_t value) override {
        if (value > static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max()))
            not_native("a number beyond 64 bits");
        return put(Object(static_cast<std::int64_t>(value)));
    }
    bool number_float(number_float_t value, const string_t& written) override {
        if (written.find_first_of(".eE") == std::string::npos) not_native("a number beyond 64 bits");
        return put(Object(static_cast<double>(value)));
    }
    bool string(string_t& value) override { return put(text(call_, value)); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(call_.machine.heap().hash()); }
    bool start_array(std::size_t) override { return open(list(call_, {})); }
    bool key(string_t& value) override {
        keys_.push_back(symbols_ ? call_.machine.heap().symbol(value)
                                 : call_.machine.heap().string(value, Change::Frozen));
        return true;
    }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
        return false;
    }

private:
    bool put(const Object& object) {
        call_.machine.step();
        if (open_.empty()) {
            result = object;
        } else if (open_.back().is(Kind::Array)) {
            call_.machine.heap().grown(sizeof(Object));
            open_.back().array().items.push_back(object);
        } else {
            open_.back().hash().set(keys_.back(), object);
            keys_.pop_back();
        }
        return true;
    }
    bool open(const Object& object) {
        put(object);
        open_.push_back(object);
        return true;
    }
    bool close() {
        open_.pop_back();
        return true;
    }

    const Call& call_;
    const bool symbols_;
    std::vector<Object> open_;
    std::vector<Object> keys_;
};

Object json_generate(const Call& call) {
    if (call.arguments.size() > 1) not_native("JSON.generate with options");
    return text(call, JsonWriter(call, false).write(call.arguments[0]));
}

Object json_pretty(const Call& call) {
    if (call.arguments.size() > 1) not_native("JSON.pretty_generate with options");
    return text(call, JsonWriter(call, true).write(call.arguments[0]));
}

Object json_parse(const Call& call) {
    bool symbols = false;
    if (call.arguments.size() > 1) {
        for (const Hash::Entry& entry : to_hash(call.arguments[1]).entries) {
            if (!entry.key.is(Kind::Symbol) || entry.key.name() != "symbolize_names")
                not_native("JSON.parse with options");
            symbols = entry.value.truthy();
        }
    }
    const std::string& source = to_string(call.arguments[0]);
    check_characters(source);
    if (source.starts_with(byte_order_mark)) not_native("JSON with a byte order mark");
    JsonReader reader(call, symbols);
    call.machine.step(1 + source.size() / 64);
    try {
        read_json_events(source, reader, {.depth = json_depth});
    } catch (const JsonError&) {
        not_native("JSON that is wrong");
    }
    return reader.result;
}

Object object_to_json(const Call& call) {
    if (!call.arguments.empty()) not_native("to_json with arguments");
    return text(call, JsonWriter(call, false).write(call.self));
}

constexpr Method json_module[] = {
    {"generate", 1, 2, json_generate}, {"parse", 1, 2, json_parse}, {"pretty_generate", 1, 2, json_pretty}};
constexpr ModuleTable json_tables[] = {{"JSON", json_module}};
constexpr Method to_json_table[] = {{"to_json", 0, Method::any, object_to_json}};

}  // namespace

std::span<const ModuleTable> json_modules() { return json_tables; }
Table json_methods() { return to_json_table; }

}  // namespace volley::ruby::methods
