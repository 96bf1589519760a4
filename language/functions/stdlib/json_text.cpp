#include "language/functions/stdlib/json_text.hpp"

#include <cmath>

#include "language/errors.hpp"
#include "language/text/ruby_text.hpp"
#include "language/text/text.hpp"
#include "support/text/escapes.hpp"

namespace volley::stdlib {
namespace {

class JsonWriter {
public:
    explicit JsonWriter(const JsonLayout& layout) : layout_(layout) {}

    void write(const Value& value) {
        const NestingGuard guard;
        switch (value.kind()) {
            case Kind::Undef:
                out_ += "null";
                break;
            case Kind::Boolean:
            case Kind::Integer:
                out_ += to_text(value);
                break;
            case Kind::Float:
                if (!std::isfinite(value.as_float()))
                    throw EvalError("", float_text(value.as_float()) + " not allowed in JSON");
                out_ += float_text(value.as_float());
                break;
            case Kind::Array:
                write_array(value.as_array());
                break;
            case Kind::Hash:
                write_hash(value.as_hash());
                break;
            default:
                write_string(ruby_to_s(value));
        }
    }
    std::string take() { return std::move(out_); }

private:
    void indent() {
        for (int i = 0; i < depth_; ++i) out_ += layout_.indent;
    }
    void write_array(const Array& list) {
        out_ += '[' + layout_.array_line;
        ++depth_;
        bool first = true;
        for (const Value& item : list) {
            if (!first) out_ += ',' + layout_.array_line;
            first = false;
            indent();
            write(item);
        }
        --depth_;
        out_ += layout_.array_line;
        if (!layout_.array_line.empty()) indent();
        out_ += ']';
    }
    void write_hash(const Hash& hash) {
        out_ += '{';
        ++depth_;
        bool first = true;
        for (const auto& entry : hash) {
            if (!first) out_ += ',';
            first = false;
            out_ += layout_.object_line;
            indent();
            write_string(ruby_to_s(entry.key));
            out_ += layout_.space_before + ':' + layout_.space;
            write(entry.value);
        }
        --depth_;
        out_ += layout_.object_line;
        if (!layout_.object_line.empty()) indent();
        out_ += '}';
    }
    void write_string(const std::string& text) {
        out_ += '"';
        append_json_escaped(out_, text);
        out_ += '"';
    }

    const JsonLayout& layout_;
    std::string out_;
    int depth_ = 0;
};

}  // namespace

std::string json_text(const Value& value, const JsonLayout& layout) {
    JsonWriter writer(layout);
    writer.write(value);
    return writer.take();
}

}  // namespace volley::stdlib
