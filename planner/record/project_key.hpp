#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "support/crypto/digest.hpp"

namespace volley::planner {

/// The secret that a project keeps for its records: what is written under it cannot be made, nor guessed from
/// what it says, by anybody who does not have it.
class ProjectKey {
public:
    /// 32 bytes; tests pass their own.
    explicit ProjectKey(std::string_view secret);
    /// The one in `.volley/journal.key` of the project, made when there is none; of a project whose folder
    /// belongs to somebody else, the user's own in ~/.local/state/volley. Throws Error bolt/file-error when
    /// it can be neither read nor made, and when others could have put it there or read it.
    static ProjectKey of_project(const std::filesystem::path& project, const std::filesystem::path& home);

    /// HMAC-SHA256 in hex digits.
    std::string signature(std::string_view bytes) const;
    /// That of signed_text(parts).
    std::string signature(const std::vector<std::string>& parts) const;

private:
    HmacSha256 hmac_;
};

/// Parts as one text that shows where each begins and ends, so that other parts are another text.
std::string signed_text(const std::vector<std::string>& parts);
/// Adds another part to such a text.
void append_signed(std::string& text, std::string_view part);

}  // namespace volley::planner
