#include "language/conversion/indented_text.hpp"

#include "language/callable.hpp"
#include "language/errors.hpp"
#include "language/text/text.hpp"

namespace volley {
namespace {

constexpr std::size_t line_width = 100;

/// Writes values over several lines.
class IndentedWriter {
public:
    explicit IndentedWriter(int level) : level_(level) {}

    void write(const Value& value) {
        const NestingGuard guard;
        if (value.is_hash())
            hash(value.as_hash());
        else if (value.is_array())
            array(value.as_array());
        else if (value.is(Kind::Object))
            object(value.as<ObjectBase>());
        else
            out_ += to_program_text(value);
    }
    std::string take() { return std::move(out_); }

private:
    void object(const ObjectBase& value) {
        const Value attributes = value.init_hash();
        if (!attributes.is_hash()) {
            out_ += value.text();
            return;
        }
        out_ += value.type()->name() + "(";
        hash(attributes.as_hash());
        out_ += ")";
    }

    void hash(const Hash& entries) {
        out_ += "{";
        ++level_;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            line(i > 0);
            write(entries.at(i).key);
            out_ += " => ";
            write(entries.at(i).value);
        }
        --level_;
        line(false);
        out_ += "}";
    }

    void array(const Array& items) {
        out_ += "[";
        const bool short_one = fits_on_line(items);
        if (!short_one) ++level_;
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (!short_one)
                line(i > 0);
            else if (i > 0)
                out_ += ", ";
            write(items[i]);
        }
        if (!short_one) {
            --level_;
            line(false);
        }
        out_ += "]";
    }

    bool fits_on_line(const Array& items) const {
        std::size_t width = static_cast<std::size_t>(level_) * 2;
        for (const Value& item : items) {
            if (item.is_string())
                width += 2 + item.as_string().size();
            else if (item.is_array() || item.is_hash())
                width += (item.is_array() ? item.as_array().empty() : item.as_hash().empty()) ? 2 : 1000;
            else
                width += item.is(Kind::Object) || item.is(Kind::Type) ? 1000 : to_program_text(item).size();
        }
        return width < line_width;
    }

    void line(bool after_another) {
        if (after_another) out_ += ",";
        out_ += "\n" + std::string(static_cast<std::size_t>(level_) * 2, ' ');
    }

    std::string out_;
    int level_;
};

}  // namespace

std::string indented_object_text(const Value& object, int level) {
    IndentedWriter writer(level);
    writer.write(object);
    return writer.take();
}

}  // namespace volley
