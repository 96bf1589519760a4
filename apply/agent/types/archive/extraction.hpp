#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "apply/agent/values/value.hpp"

namespace volley::agent {

/// How an archive is asked to be unpacked.
struct Extraction {
    std::string
        command;  ///< of the resource, with %s for the file; empty: that for the end of the file's name
    Value flags;  ///< for that: a text, or a map by the name of the program; undef: the usual ones
};

/// The line that unpacks a file in the folder where it runs, as puppet-archive has it: "tar xzf /a/b.tgz".
/// Throws ApplyError where nothing is known to unpack such a file.
std::string extraction_line(const std::string& file, const Extraction& wanted);

/// The first checksum in a text: 32 to 128 hexadecimal digits that stand alone.
std::optional<std::string> checksum_in(std::string_view text);
/// Whether a text holds 5 to 128 hexadecimal digits in small letters that stand alone.
bool holds_checksum(std::string_view text);

}  // namespace volley::agent
