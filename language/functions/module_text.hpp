#pragma once

#include <optional>
#include <string>

#include "language/evaluator/environment.hpp"
#include "language/functions/builtin.hpp"
#include "support/unicode/byte_order_mark.hpp"

namespace volley::builtins {

/// A file of a module that is read as text, without its byte order mark.
inline std::optional<LanguageHost::SourceFile> module_text(CallContext& context, const std::string& kind,
                                                           const std::string& name) {
    auto file = context.environment().host.module_file(kind, name);
    if (file) file->text.erase(0, file->text.size() - without_byte_order_mark(file->text).size());
    return file;
}

}  // namespace volley::builtins
