#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "support/json.hpp"

namespace volley {

/// Writes JSON text piece by piece, byte for byte as Json::dump() would, without a tree in memory. The caller keeps
/// begin and end in balance. `indentation`: spaces a level; below 0: all on one line. Bytes that are no UTF-8 become
/// replacement characters.
class JsonText {
public:
    explicit JsonText(int indentation) : indentation_(indentation) {}

    void begin_object() { begin('{'); }
    void end_object() { end('}'); }
    void begin_list() { begin('['); }
    void end_list() { end(']'); }
    /// In front of each value of an object.
    void key(std::string_view name);
    /// In front of each value of a list.
    void item() { separate(); }

    void text(std::string_view value);
    void number(std::int64_t value) { out_ += std::to_string(value); }
    void boolean(bool value) { out_ += value ? "true" : "false"; }
    void null() { out_ += "null"; }
    void json(const Json& value);

    std::size_t size() const noexcept { return out_.size(); }
    /// What was written since the last call.
    std::string take();

private:
    void begin(char bracket);
    void end(char bracket);
    void separate();
    void new_line();

    int indentation_;
    int level_ = 0;
    bool empty_ = true;  // nothing was written since the last bracket opened
    std::string out_;
};

}  // namespace volley
