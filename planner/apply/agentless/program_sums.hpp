#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace volley::planner {

/// The checksums of the agents' programs, kept from run to run: making them takes ten milliseconds, which an
/// apply on this machine would wait for. One thread at a time.
class ProgramSums {
public:
    struct Sums {
        std::string sha256, blake2b;  ///< in hexadecimal; blake2b is "" where OpenSSL does not have it
    };

    /// `folder`: a private one, where the file `agent-sums.json` is kept; empty: nothing is kept.
    explicit ProgramSums(std::filesystem::path folder);

    /// What is kept counts as long as the file is the same (FileStamp). Throws Error bolt/file-error where
    /// the program cannot be read.
    Sums of(const std::filesystem::path& program);

private:
    struct Known {
        std::string stamp;  // of the file when the sums were made
        Sums sums;
    };
    void load();
    void save() const;

    std::filesystem::path file_;
    std::map<std::string, Known> known_;  // by path
};

}  // namespace volley::planner
