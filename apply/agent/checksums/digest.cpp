#include "apply/agent/checksums/digest.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>

#include "support/text/hex_digit.hpp"

namespace volley::agent {
namespace {

constexpr std::size_t lite_bytes = 512;

/// The part that all of them share: blocks, and the length at the end. `Word` is that of the state.
template <class Word, std::size_t Block, bool BigEndian, class Compress>
class BlockDigest final : public Digest {
public:
    BlockDigest(std::span<const Word> state, std::size_t words, Compress compress)
        : words_(words), compress_(compress) {
        std::copy(state.begin(), state.end(), state_.begin());
    }

    void add(std::string_view bytes) override {
        length_ += bytes.size();
        while (!bytes.empty()) {
            const std::size_t take = std::min(bytes.size(), Block - used_);
            std::memcpy(buffer_.data() + used_, bytes.data(), take);
            used_ += take;
            bytes.remove_prefix(take);
            if (used_ == Block) flush();
        }
    }

    std::string finish() override {
        const std::uint64_t bits = length_ * 8;
        constexpr std::size_t length_size = sizeof(Word) * 2;
        buffer_[used_++] = 0x80;
        if (used_ > Block - length_size) {
            std::fill(buffer_.begin() + static_cast<std::ptrdiff_t>(used_), buffer_.end(), std::uint8_t{0});
            flush();
        }
        std::fill(buffer_.begin() + static_cast<std::ptrdiff_t>(used_), buffer_.end(), std::uint8_t{0});
        for (std::size_t i = 0; i < 8; ++i) {
            const auto byte = static_cast<std::uint8_t>(bits >> (8 * i));
            buffer_[BigEndian ? Block - 1 - i : Block - 8 + i] = byte;
        }
        flush();
        std::string text;
        for (std::size_t i = 0; i < words_ * sizeof(Word); ++i) {
            const std::size_t place = i % sizeof(Word);
            const std::size_t shift = 8 * (BigEndian ? sizeof(Word) - 1 - place : place);
            const auto byte = static_cast<std::uint8_t>(state_[i / sizeof(Word)] >> shift);
            append_hex_byte(text, byte);
        }
        return text;
    }

private:
    void flush() {
        std::array<Word, Block / sizeof(Word)> block;
        for (std::size_t i = 0; i < block.size(); ++i) {
            Word word = 0;
            for (std::size_t j = 0; j < sizeof(Word); ++j) {
                const std::size_t from = i * sizeof(Word) + (BigEndian ? j : sizeof(Word) - 1 - j);
                word = static_cast<Word>((word << 8) | buffer_[from]);
            }
            block[i] = word;
        }
        compress_(state_, block);
        used_ = 0;
    }

    std::array<Word, 8> state_{};
    std::array<std::uint8_t, Block> buffer_{};
    std::size_t used_ = 0;
    std::size_t words_;
    std::uint64_t length_ = 0;
    Compress compress_;
};

/// The first bits of the fractions of the cube roots of primes are what SHA-2 uses for constants.
constexpr std::array<std::uint64_t, 80> sha2_constants = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc, 0x3956c25bf348b538,
    0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118, 0xd807aa98a3030242, 0x12835b0145706fbe,
    0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2, 0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235,
    0xc19bf174cf692694, 0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5, 0x983e5152ee66dfab,
    0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4, 0xc6e00bf33da88fc2, 0xd5a79147930aa725,
    0x06ca6351e003826f, 0x142929670a0e6e70, 0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed,
    0x53380d139d95b3df, 0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30, 0xd192e819d6ef5218,
    0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8, 0x19a4c116b8d2d0c8, 0x1e376c085141ab53,
    0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8, 0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373,
    0x682e6ff3d6b2b8a3, 0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b, 0xca273eceea26619c,
    0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178, 0x06f067aa72176fba, 0x0a637dc5a2c898a6,
    0x113f9804bef90dae, 0x1b710b35131c471b, 0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc,
    0x431d67c49c100d4c, 0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817};

template <class Word, std::size_t Rounds, int A1, int A2, int A3, int B1, int B2, int B3, int C1, int C2,
          int C3, int D1, int D2, int D3>
struct Sha2Compress {
    void operator()(std::array<Word, 8>& state, const std::array<Word, 16>& block) const {
        std::array<Word, Rounds> w;
        std::copy(block.begin(), block.end(), w.begin());
        for (std::size_t i = 16; i < Rounds; ++i) {
            const Word s0 = std::rotr(w[i - 15], C1) ^ std::rotr(w[i - 15], C2) ^ (w[i - 15] >> C3);
            const Word s1 = std::rotr(w[i - 2], D1) ^ std::rotr(w[i - 2], D2) ^ (w[i - 2] >> D3);
            w[i] = w[i - 16] + s0 + w[i - 7] + s1;
        }
        auto v = state;
        for (std::size_t i = 0; i < Rounds; ++i) {
            const Word constant = static_cast<Word>(sha2_constants[i] >> (64 - 8 * sizeof(Word)));
            const Word s1 = std::rotr(v[4], B1) ^ std::rotr(v[4], B2) ^ std::rotr(v[4], B3);
            const Word one = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + constant + w[i];
            const Word s0 = std::rotr(v[0], A1) ^ std::rotr(v[0], A2) ^ std::rotr(v[0], A3);
            const Word two = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
            v = {one + two, v[0], v[1], v[2], v[3] + one, v[4], v[5], v[6]};
        }
        for (std::size_t i = 0; i < 8; ++i) state[i] += v[i];
    }
};
using Sha256Compress = Sha2Compress<std::uint32_t, 64, 2, 13, 22, 6, 11, 25, 7, 18, 3, 17, 19, 10>;
using Sha512Compress = Sha2Compress<std::uint64_t, 80, 28, 34, 39, 14, 18, 41, 1, 8, 7, 19, 61, 6>;

struct Sha1Compress {
    void operator()(std::array<std::uint32_t, 8>& state, const std::array<std::uint32_t, 16>& block) const {
        std::array<std::uint32_t, 80> w;
        std::copy(block.begin(), block.end(), w.begin());
        for (std::size_t i = 16; i < 80; ++i)
            w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
        auto [a, b, c, d, e, f_, g_, h_] = state;
        for (std::size_t i = 0; i < 80; ++i) {
            const std::uint32_t f = i < 20   ? (b & c) | (~b & d)
                                    : i < 40 ? b ^ c ^ d
                                    : i < 60 ? (b & c) | (b & d) | (c & d)
                                             : b ^ c ^ d;
            const std::uint32_t k = i < 20   ? 0x5a827999U
                                    : i < 40 ? 0x6ed9eba1U
                                    : i < 60 ? 0x8f1bbcdcU
                                             : 0xca62c1d6U;
            const std::uint32_t next = std::rotl(a, 5) + f + e + k + w[i];
            e = d;
            d = c;
            c = std::rotl(b, 30);
            b = a;
            a = next;
        }
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
        state[4] += e;
    }
};

struct Md5Compress {
    void operator()(std::array<std::uint32_t, 8>& state, const std::array<std::uint32_t, 16>& block) const {
        static const std::array<std::uint32_t, 64> constants = [] {
            std::array<std::uint32_t, 64> made{};
            for (std::size_t i = 0; i < 64; ++i)
                made[i] = static_cast<std::uint32_t>(
                    std::floor(std::fabs(std::sin(static_cast<double>(i + 1))) * 4294967296.0));
            return made;
        }();
        static constexpr std::array<std::array<int, 4>, 4> shifts = {
            {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}};
        auto [a, b, c, d, e_, f_, g_, h_] = state;
        for (std::size_t i = 0; i < 64; ++i) {
            const std::uint32_t f = i < 16   ? (b & c) | (~b & d)
                                    : i < 32 ? (d & b) | (~d & c)
                                    : i < 48 ? b ^ c ^ d
                                             : c ^ (b | ~d);
            const std::size_t g = i < 16   ? i
                                  : i < 32 ? (5 * i + 1) % 16
                                  : i < 48 ? (3 * i + 5) % 16
                                           : (7 * i) % 16;
            const std::uint32_t sum = f + a + constants[i] + block[g];
            a = d;
            d = c;
            c = b;
            b = b + std::rotl(sum, shifts[i / 16][i % 4]);
        }
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
    }
};

/// Only the first bytes count.
class LiteDigest final : public Digest {
public:
    explicit LiteDigest(std::unique_ptr<Digest> inner) : inner_(std::move(inner)) {}
    void add(std::string_view bytes) override {
        const std::string_view part = bytes.substr(0, left_);
        left_ -= part.size();
        inner_->add(part);
    }
    std::string finish() override { return inner_->finish(); }

private:
    std::unique_ptr<Digest> inner_;
    std::size_t left_ = lite_bytes;
};

constexpr std::array<std::uint32_t, 5> sha1_start = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476,
                                                     0xc3d2e1f0};
constexpr std::array<std::uint32_t, 8> sha224_start = {0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939,
                                                       0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4};
constexpr std::array<std::uint32_t, 8> sha256_start = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
constexpr std::array<std::uint64_t, 8> sha384_start = {
    0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
    0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4};
constexpr std::array<std::uint64_t, 8> sha512_start = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

template <class Compress, bool BigEndian, class Word, std::size_t N>
std::unique_ptr<Digest> block_digest(const std::array<Word, N>& start, std::size_t words) {
    return std::make_unique<BlockDigest<Word, 16 * sizeof(Word), BigEndian, Compress>>(
        std::span<const Word>(start), words, Compress{});
}

}  // namespace

std::unique_ptr<Digest> make_digest(std::string_view algorithm) {
    if (algorithm.ends_with("lite")) {
        auto inner = make_digest(algorithm.substr(0, algorithm.size() - 4));
        return inner ? std::make_unique<LiteDigest>(std::move(inner)) : nullptr;
    }
    if (algorithm == "sha256") return block_digest<Sha256Compress, true>(sha256_start, 8);
    if (algorithm == "sha224") return block_digest<Sha256Compress, true>(sha224_start, 7);
    if (algorithm == "sha512") return block_digest<Sha512Compress, true>(sha512_start, 8);
    if (algorithm == "sha384") return block_digest<Sha512Compress, true>(sha384_start, 6);
    if (algorithm == "sha1") return block_digest<Sha1Compress, true>(sha1_start, 5);
    if (algorithm == "md5") {
        const std::array<std::uint32_t, 4> start = {sha1_start[0], sha1_start[1], sha1_start[2],
                                                    sha1_start[3]};
        return block_digest<Md5Compress, false>(start, 4);
    }
    return nullptr;
}

std::string digest_of(std::string_view algorithm, std::string_view bytes) {
    const auto digest = make_digest(algorithm);
    if (!digest) return {};
    digest->add(bytes);
    return digest->finish();
}

}  // namespace volley::agent
