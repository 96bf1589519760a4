#include "language/ruby/native/program/source.hpp"

#include "language/ruby/native/program/compiler.hpp"
#include "language/ruby/source/erb.hpp"
#include "language/ruby/source/syntax.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace volley::ruby {
namespace {

/// ERB looks for the encoding of a template in a comment at its beginning.
bool has_magic_comment(std::string_view text) {
    if (!text.starts_with("<%#")) return false;
    const std::string_view line = text.substr(0, text.find('\n'));
    return line.find("coding") != std::string_view::npos || line.find("frozen") != std::string_view::npos;
}

}  // namespace

std::shared_ptr<const Program> compile_ruby(std::string_view source) {
    Compiler compiler;
    if (!is_utf8(source) || source.find('\0') != std::string_view::npos) {
        compiler.obstacle("text that is not UTF-8", 0);
        return compiler.finish();
    }
    try {
        const ruby_source::NodePtr tree = ruby_source::parse_ruby(source);
        compiler.read_comments(source);
        compiler.top(*tree);
    } catch (const Error& error) {
        compiler.obstacle(error.what(), 0);
    }
    return compiler.finish();
}

std::shared_ptr<const Program> compile_erb(std::string_view text) {
    if (!has_magic_comment(text)) return compile_ruby(ruby_source::erb_program(text));
    Compiler compiler;
    compiler.obstacle("a comment that says the encoding", 1);
    return compiler.finish();
}

}  // namespace volley::ruby
