#include <new>

#include "transports/shell/files/archive_input.hpp"
#include "transports/shell/files/payload.hpp"

namespace volley::transports {

namespace {

class TarInput final : public ArchiveInput {
public:
    explicit TarInput(std::vector<PayloadEntry> entries) : entries_(std::move(entries)) {
        check(library().archive_write_set_format_gnutar(writer()));
        open();
    }

private:
    void advance() override {
        if (!content_.finished()) {
            copy_from(content_);
        } else if (next_ < entries_.size()) {
            begin(entries_[next_++]);
        } else {
            close();
        }
    }

    void begin(const PayloadEntry& from) {
        const ArchiveEntryPointer entry(library().archive_entry_new());
        if (!entry) throw std::bad_alloc();
        library().archive_entry_set_pathname(entry.get(), from.remote.c_str());
        library().archive_entry_set_filetype(entry.get(), from.is_directory ? AE_IFDIR : AE_IFREG);
        library().archive_entry_set_perm(entry.get(), static_cast<mode_t>(from.mode));
        library().archive_entry_set_size(entry.get(), static_cast<la_int64_t>(from.size));
        check(library().archive_write_header(writer(), entry.get()));
        content_ = SequenceInput();
        content_.add(from);
    }

    std::vector<PayloadEntry> entries_;
    std::size_t next_ = 0;
    SequenceInput content_;
};

}  // namespace

std::unique_ptr<Input> make_tar_input(std::vector<PayloadEntry> entries) {
    return std::make_unique<TarInput>(std::move(entries));
}

}  // namespace volley::transports
