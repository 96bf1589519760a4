#include "transports/shell/powershell/gzip_input.hpp"

#include <openssl/evp.h>

#include <array>
#include <new>

#include "transports/shell/files/archive_input.hpp"

namespace volley::transports {
namespace {

struct FreeDigest {
    void operator()(EVP_MD_CTX* context) const noexcept { ::EVP_MD_CTX_free(context); }
};

class GzipInput final : public ArchiveInput {
public:
    explicit GzipInput(std::unique_ptr<Input> source)
        : source_(std::move(source)), digest_(::EVP_MD_CTX_new()) {
        if (!digest_ || ::EVP_DigestInit_ex(digest_.get(), ::EVP_sha256(), nullptr) != 1)
            throw std::bad_alloc();
        check(library().archive_write_set_format_raw(writer()));
        check(library().archive_write_add_filter_gzip(writer()));
        open();
        const ArchiveEntryPointer entry(library().archive_entry_new());
        if (!entry) throw std::bad_alloc();
        library().archive_entry_set_pathname(entry.get(), "data");
        library().archive_entry_set_filetype(entry.get(), AE_IFREG);
        check(library().archive_write_header(writer(), entry.get()));
    }

private:
    void advance() override {
        if (copy_from(*source_) || !source_->finished()) return;
        close();
        std::array<unsigned char, EVP_MAX_MD_SIZE> found{};
        unsigned size = 0;
        ::EVP_DigestFinal_ex(digest_.get(), found.data(), &size);
        append(std::string_view(reinterpret_cast<const char*>(found.data()), size));
    }
    void on_written(std::string_view bytes) override {
        ::EVP_DigestUpdate(digest_.get(), bytes.data(), bytes.size());
    }

    std::unique_ptr<Input> source_;
    std::unique_ptr<EVP_MD_CTX, FreeDigest> digest_;
};

}  // namespace

std::unique_ptr<Input> make_gzip_input(std::unique_ptr<Input> source) {
    return std::make_unique<GzipInput>(std::move(source));
}

std::string read_all(Input& input) {
    std::string all;
    std::array<char, 64 * 1024> chunk{};
    while (!input.finished()) all.append(chunk.data(), input.read(chunk));
    return all;
}

}  // namespace volley::transports
