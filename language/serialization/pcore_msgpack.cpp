#include <bit>
#include <cstring>
#include <limits>

#include "language/errors.hpp"
#include "language/serialization/pcore_packers.hpp"

namespace volley {
namespace {

void msgpack_big_endian(std::string& out, std::uint64_t value, int bytes) {
    for (int shift = (bytes - 1) * 8; shift >= 0; shift -= 8)
        out += static_cast<char>((value >> shift) & 0xFF);
}

void msgpack_integer(std::string& out, std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    if (value >= -32 && value < 128) {
        out += static_cast<char>(value);
        return;
    }
    const bool negative = value < 0;
    const std::uint64_t magnitude = negative ? ~bits : bits;
    const int bytes = magnitude <= (negative ? 0x7FU : 0xFFU)               ? 1
                      : magnitude <= (negative ? 0x7FFFU : 0xFFFFU)         ? 2
                      : magnitude <= (negative ? 0x7FFFFFFFU : 0xFFFFFFFFU) ? 4
                                                                            : 8;
    const int exponent = std::countr_zero(static_cast<unsigned>(bytes));
    out += static_cast<char>((negative ? 0xD0 : 0xCC) + exponent);
    msgpack_big_endian(out, bits, bytes);
}

/// A length with the smallest of its marks: 8, 16 or 32 bits.
void msgpack_length(std::string& out, std::size_t size, int first_mark) {
    if (size > std::numeric_limits<std::uint32_t>::max())
        throw EvalError("", "A value is too large for MessagePack");
    const int exponent = size <= 0xFF ? 0 : size <= 0xFFFF ? 1 : 2;
    out += static_cast<char>(first_mark + exponent);
    msgpack_big_endian(out, size, 1 << exponent);
}

void msgpack_string(std::string& out, const std::string& value) {
    if (value.size() < 32)
        out += static_cast<char>(0xA0 | value.size());
    else
        msgpack_length(out, value.size(), 0xD9);
    out += value;
}

class MsgPackPacker final : public PcorePacker {
public:
    void null() override { out_ += '\xC0'; }
    void boolean(bool value) override { out_ += value ? '\xC3' : '\xC2'; }
    void integer(std::int64_t value) override { msgpack_integer(out_, value); }
    void real(double value) override {
        out_ += '\xCB';
        msgpack_big_endian(out_, std::bit_cast<std::uint64_t>(value), 8);
    }
    void string(const std::string& value) override { msgpack_string(out_, value); }
    void extension(PcoreExtension number, const Payload& payload) override {
        std::string inside;
        for (const Value& item : payload.items) {
            if (item.is(Kind::Integer)) {
                msgpack_integer(inside, item.as_integer());
            } else if (payload.bytes) {
                msgpack_length(inside, item.as_string().size(), 0xC4);
                inside += item.as_string();
            } else {
                msgpack_string(inside, item.as_string());
            }
        }
        const std::size_t size = inside.size();
        if (size > 0 && size <= 16 && std::has_single_bit(size))
            out_ += static_cast<char>(0xD4 + std::countr_zero(size));
        else
            msgpack_length(out_, size, 0xC7);
        out_ += static_cast<char>(number);
        out_ += inside;
    }
    bool supports_binary() const override { return true; }
    std::string finish() override { return std::move(out_); }

private:
    std::string out_;
};

/// Reads the MessagePack that Pcore streams use: no maps and lists.
class MsgPackBytes {
public:
    explicit MsgPackBytes(std::string_view bytes) : bytes_(bytes) {}
    PcoreUnpacker::Item next(std::string_view& payload) {
        const auto mark = static_cast<unsigned>(number(1));
        if (mark < 0x80) return value(static_cast<std::int64_t>(mark));
        if (mark >= 0xE0) return value(static_cast<std::int64_t>(mark) - 0x100);
        if (mark >= 0xA0 && mark < 0xC0) return value(std::string(take(mark & 0x1F)));
        switch (mark) {
            case 0xC0:
                return value({});
            case 0xC2:
            case 0xC3:
                return value(mark == 0xC3);
            case 0xC4:
            case 0xC5:
            case 0xC6:
                return value(std::string(take(number(1 << (mark - 0xC4)))));
            case 0xC7:
            case 0xC8:
            case 0xC9:
                return extension(number(1 << (mark - 0xC7)), payload);
            case 0xCA:
                return value(
                    static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(number(4)))));
            case 0xCB:
                return value(std::bit_cast<double>(number(8)));
            case 0xCC:
            case 0xCD:
            case 0xCE:
            case 0xCF:
                return positive(number(1 << (mark - 0xCC)));
            case 0xD0:
            case 0xD1:
            case 0xD2:
            case 0xD3:
                return value(negative(1 << (mark - 0xD0)));
            case 0xD4:
            case 0xD5:
            case 0xD6:
            case 0xD7:
            case 0xD8:
                return extension(std::uint64_t{1} << (mark - 0xD4), payload);
            case 0xD9:
            case 0xDA:
            case 0xDB:
                return value(std::string(take(number(1 << (mark - 0xD9)))));
            default:
                throw EvalError("", "A MessagePack stream has something in it that Pcore does not use");
        }
    }

private:
    static PcoreUnpacker::Item value(Value content) {
        return {false, PcoreExtension::Default, std::move(content)};
    }
    static PcoreUnpacker::Item positive(std::uint64_t content) {
        if (content > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            throw EvalError("NUMERIC_OVERFLOW", "Integer out of bounds");
        return value(static_cast<std::int64_t>(content));
    }
    std::int64_t negative(int bytes) {
        const std::uint64_t content = number(bytes);
        const int unused = 64 - bytes * 8;
        return static_cast<std::int64_t>(content << unused) >> unused;
    }
    PcoreUnpacker::Item extension(std::uint64_t size, std::string_view& payload) {
        const auto number_of = static_cast<std::int8_t>(number(1));
        payload = take(size);
        return {true, static_cast<PcoreExtension>(number_of), {}};
    }
    std::uint64_t number(int bytes) {
        std::uint64_t result = 0;
        for (const char c : take(static_cast<std::uint64_t>(bytes)))
            result = (result << 8) | static_cast<unsigned char>(c);
        return result;
    }
    std::string_view take(std::uint64_t size) {
        if (size > bytes_.size()) throw EvalError("", "Unexpected end of input");
        const std::string_view taken = bytes_.substr(0, static_cast<std::size_t>(size));
        bytes_.remove_prefix(taken.size());
        return taken;
    }
    std::string_view bytes_;
};

class MsgPackUnpacker final : public PcoreUnpacker {
public:
    explicit MsgPackUnpacker(std::string_view bytes)
        : copy_(bytes), stream_(copy_), payload_(std::string_view()) {}
    Item read() override {
        std::string_view inside;
        Item item = stream_.next(inside);
        if (item.is_extension) payload_ = MsgPackBytes(inside);
        return item;
    }
    Value read_payload() override {
        std::string_view none;
        Item item = payload_.next(none);
        if (item.is_extension)
            throw EvalError("", "A MessagePack stream has an extension inside of another one");
        return std::move(item.value);
    }

private:
    const std::string copy_;
    MsgPackBytes stream_;
    MsgPackBytes payload_;
};

}  // namespace

std::unique_ptr<PcorePacker> make_json_packer();
std::unique_ptr<PcoreUnpacker> make_json_unpacker(std::string_view bytes);

std::unique_ptr<PcorePacker> make_packer(PcoreFormat format) {
    if (format == PcoreFormat::JsonText) return make_json_packer();
    return std::make_unique<MsgPackPacker>();
}

std::unique_ptr<PcoreUnpacker> make_unpacker(PcoreFormat format, std::string_view bytes) {
    if (format == PcoreFormat::JsonText) return make_json_unpacker(bytes);
    return std::make_unique<MsgPackUnpacker>(bytes);
}

}  // namespace volley
