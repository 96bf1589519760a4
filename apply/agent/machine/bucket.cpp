#include "apply/agent/machine/bucket.hpp"

#include "apply/agent/checksums/digest.hpp"
#include "apply/agent/machine/files.hpp"

namespace volley::agent {
namespace {

constexpr std::size_t split_digits = 8;

}  // namespace

std::string Bucket::place_of(const std::string& checksum) const {
    std::string place = folder_;
    for (std::size_t i = 0; i < split_digits && i < checksum.size(); ++i)
        place += std::string("/") + checksum[i];
    return place + "/" + checksum;
}

std::string Bucket::keep(const std::string& file) const {
    const auto digest = make_digest("sha256");
    read_pieces(file, [&](std::string_view piece) { digest->add(piece); });
    std::string checksum = digest->finish();
    const std::string place = place_of(checksum);
    make_folders(place, 0750);
    if (!file_exists(place + "/contents")) {
        ReplacedFile copy(place + "/contents", "", 0440);
        read_pieces(file, [&](std::string_view piece) { copy.write(piece); });
        copy.complete(ReplacedFile::Waits::Always);
        copy.put_into_place();
    }
    const std::string paths_file = place + "/paths";
    std::string paths = file_exists(paths_file) ? read_whole(paths_file, 16U << 20U) : std::string();
    if (("\n" + paths).find("\n" + file + "\n") == std::string::npos)
        replace_content(paths_file, paths + file + "\n", 0640);
    return checksum;
}

bool Bucket::read(const std::string& checksum, const std::function<void(std::string_view)>& take) const {
    if (checksum.find_first_not_of("0123456789abcdef") != std::string::npos) return false;
    const std::string path = place_of(checksum) + "/contents";
    if (!file_exists(path)) return false;
    read_pieces(path, take);
    return true;
}

}  // namespace volley::agent
