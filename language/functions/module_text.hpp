#pragma once

#include <optional>
#include <string>

#include "language/evaluator/environment.hpp"
#include "language/functions/builtin.hpp"

namespace volley::builtins {

/// A file of a module that is read as text, without the byte order mark that editors on Windows put first.
inline std::optional<LanguageHost::SourceFile> module_text(CallContext& context, const std::string& kind,
                                                           const std::string& name) {
    auto file = context.environment().host.module_file(kind, name);
    if (file && file->text.starts_with("\xEF\xBB\xBF")) file->text.erase(0, 3);
    return file;
}

}  // namespace volley::builtins
