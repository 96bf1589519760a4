#pragma once

#include <string>
#include <string_view>

#include "language/ruby/native/program/source.hpp"
#include "language/ruby/native/run.hpp"

namespace volley::testing {

/// A self without methods.
class BareSelf : public ruby::Self {
public:
    std::string_view class_name() const override { return "Object"; }
    ruby::Object call(ruby::Machine&, std::string_view method, std::span<const ruby::Object>,
                      const ruby::Closure*) override {
        throw ruby::NotNative{"the method " + std::string(method)};
    }
};

/// What native Ruby makes of a program: its value as inspect shows it, "ArgumentError: message" for an
/// exception, or "not native: reason".
inline std::string evaluated(std::string_view source) {
    const auto program = ruby::compile_ruby(source);
    try {
        BareSelf self;
        ruby::Heap heap;
        ruby::Run run(*program, self, heap);
        return ruby::inspect(run.run());
    } catch (const ruby::Raised& raised) {
        return raised.type + ": " + raised.message;
    } catch (const ruby::NotNative& reason) {
        return "not native: " + reason.why;
    }
}

}  // namespace volley::testing
