#pragma once

#include <memory>
#include <string>
#include <vector>

#include "language/serialization/pcore_extensions.hpp"
#include "language/serialization/pcore_stream.hpp"

namespace volley {

/// The lower level of a Pcore stream: intrinsic values and extensions.
class PcorePacker {
public:
    virtual ~PcorePacker() = default;
    virtual void null() = 0;
    virtual void boolean(bool value) = 0;
    virtual void integer(std::int64_t value) = 0;
    virtual void real(double value) = 0;
    virtual void string(const std::string& value) = 0;
    /// What is inside an extension: integers and strings.
    struct Payload {
        std::vector<Value> items = {};
        std::size_t sequence = 0;  // how many values follow that belong to it
        bool bytes = false;        // the one item is bytes, not text
    };
    virtual void extension(PcoreExtension number, const Payload& payload) = 0;
    virtual bool supports_binary() const = 0;
    virtual std::string finish() = 0;
};
std::unique_ptr<PcorePacker> make_packer(PcoreFormat format);

/// The other direction.
class PcoreUnpacker {
public:
    virtual ~PcoreUnpacker() = default;
    struct Item {
        bool is_extension = false;
        PcoreExtension extension = PcoreExtension::Default;
        Value value = {};
    };
    /// Throws EvalError at the end and for what is not a stream.
    virtual Item read() = 0;
    /// The next value inside the extension that was read last.
    virtual Value read_payload() = 0;
};
std::unique_ptr<PcoreUnpacker> make_unpacker(PcoreFormat format, std::string_view bytes);

}  // namespace volley
