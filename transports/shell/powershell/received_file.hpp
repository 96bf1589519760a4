#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "transports/connection.hpp"

namespace volley::transports {

/// Takes what scripts/download.ps1 sends and keeps it under a temporary name until it is whole and its
/// checksum is right. Errors: TransportError DOWNLOAD_ERROR.
class ReceivedFile final : public OutputSink {
public:
    /// `directory` is created when it is missing.
    ReceivedFile(std::filesystem::path directory, std::string name);
    ~ReceivedFile() override;

    void on_output(Stream stream, std::string_view bytes) override;
    /// The rest, for a worker thread: checks, unpacks, and renames everything to its own name. Returns that
    /// path. It owns what it needs.
    std::function<std::filesystem::path()> completion();

private:
    struct Spool;
    std::shared_ptr<Spool> spool_;
};

}  // namespace volley::transports
