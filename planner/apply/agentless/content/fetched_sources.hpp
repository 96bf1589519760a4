#pragma once

#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "apply/content/module_files.hpp"
#include "support/files/temporary_folder.hpp"
#include "support/http/client.hpp"
#include "support/json/json.hpp"

namespace volley::planner {

/// A source of an archive on a web server. It is fetched when the first target asks for it: most archives are
/// there already.
struct LateSource {
    std::string name;  ///< "Archive[/srv/x.tgz] https://...", by which the agent asks for it
    HttpRequest request;
};

/// What files of catalogs have as `source => 'https://...'`: the agent fetches nothing itself, so each URL is
/// fetched here, once for all targets of a run, into a private folder that goes away with this. Any thread;
/// waits for the network.
class FetchedSources {
public:
    /// The content of the URLs of a catalog document; the `path` of each is its URL. A URL that answers
    /// "not found" is left out, because the next of a list of sources may have it. Throws Error
    /// bolt/apply-error for other failures.
    std::vector<DeliveredFile> of(const Json& document);
    /// The content of a source of an archive. Throws Error bolt/apply-error when it does not come.
    DeliveredFile fetched(const LateSource& source);

private:
    using Found = std::optional<DeliveredFile>;
    Found fetch(const HttpRequest& request, std::size_t number);
    Found once(const std::string& name, const HttpRequest& request);

    std::mutex mutex_;
    std::optional<TemporaryFolder> folder_;
    std::map<std::string, std::shared_future<Found>> known_;
};

/// The sources of the archives of a catalog document.
std::vector<LateSource> late_sources(const Json& document);

/// The URLs, http and https, from which files of a catalog document take their content; each once.
std::vector<std::string> http_sources(const Json& document);

}  // namespace volley::planner
