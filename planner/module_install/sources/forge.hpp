#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "planner/module_install/resolution/release.hpp"
#include "support/json/json.hpp"

namespace volley::modules {

/// What `module-install` in the configuration says.
struct SourceSettings {
    std::string forge =
        "https://forgeapi.puppet.com";  ///< also file:///FOLDER, which holds OWNER-NAME-VERSION.tar.gz
    std::string forge_proxy = {};       ///< URL; empty: what the environment says
    std::string authorization = {};     ///< header of requests to the Forge; a secret
    std::string git_proxy = {};
    /// `module_install`: the section with plugin references resolved; null: nothing is configured. Throws
    /// Error bolt/validation-error.
    static SourceSettings read(const Json& module_install);
};

/// A place that has archives of modules: a server that speaks the Forge's API, or a folder. release() and
/// download() may be called from several threads at once, while nothing else is.
class Forge : public ReleaseSource {
public:
    /// One release. Throws Error when there is none of that version, or no answer.
    virtual Release release(const ModuleName& name, const std::string& version) = 0;
    /// The archive of a release, as bytes; checked against its checksum. Throws Error bolt/http-error,
    /// bolt/file-error, bolt/module-checksum-error.
    virtual std::string download(const Release& release) = 0;
};

std::unique_ptr<Forge> make_forge(const SourceSettings& settings);
/// The two kinds of it. `folder` is read when the first module is asked for.
std::unique_ptr<Forge> make_forge_client(const SourceSettings& settings);
std::unique_ptr<Forge> make_forge_folder(std::filesystem::path folder);

/// Throws Error bolt/module-checksum-error when the bytes are not what the release's checksum says.
void check_archive(const Release& release, std::string_view bytes);

}  // namespace volley::modules
