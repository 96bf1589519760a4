#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "planner/module_install/sources/forge.hpp"
#include "support/error.hpp"
#include "support/http/client.hpp"
#include "support/json/json_reader.hpp"
#include "support/json/json_text.hpp"
#include "support/log.hpp"
#include "support/process/parallel.hpp"

namespace volley::modules {
namespace {

constexpr std::string_view forge_logger = "planner.modules.forge";
constexpr int forge_attempts = 4;
constexpr std::size_t forge_threads = 8;
constexpr std::size_t most_forge_pages = 100;
constexpr std::size_t largest_forge_page = 64UL << 20;      // bytes
constexpr std::size_t largest_forge_archive = 128UL << 20;  // bytes

/// What the Forge publishes of a release; nullopt for one that was deleted or cannot be read.
std::optional<Release> read_forge_release(const Json& json) {
    if (!json.is_object()) return std::nullopt;
    if (const auto deleted = json.find("deleted_at"); deleted != json.end() && !deleted->is_null())
        return std::nullopt;
    auto release = read_metadata(json.value("metadata", Json()));
    if (!release) return std::nullopt;
    release->file = text_in(json, "file_uri");
    release->sha256 = text_in(json, "file_sha256");
    release->md5 = text_in(json, "file_md5");
    return release;
}

bool worth_another_attempt(long status) { return status == 429 || status >= 500; }

class ForgeClient final : public Forge {
public:
    explicit ForgeClient(SourceSettings settings) : settings_(std::move(settings)) {}

    const std::vector<Release>& releases(const ModuleName& name) override {
        expect({&name, 1});
        return known_.at(name.slug());
    }

    void expect(std::span<const ModuleName> names) override {
        std::vector<std::string> missing;
        for (const ModuleName& name : names) {
            const bool fresh = !known_.contains(name.slug()) &&
                               std::find(missing.begin(), missing.end(), name.slug()) == missing.end();
            if (fresh) missing.push_back(name.slug());
        }
        std::vector<std::vector<std::string>> pages(missing.size());
        parallel_for(missing.size(), forge_threads,
                     [&](std::size_t i) { pages[i] = fetch_pages(missing[i]); });
        for (std::size_t i = 0; i < missing.size(); ++i)
            known_[missing[i]] = read_pages(missing[i], pages[i]);
    }

    Release release(const ModuleName& name, const std::string& version) override {
        if (const auto known = known_.find(name.slug()); known != known_.end()) {
            for (const Release& one : known->second) {
                if (version_text(one.version) == version) return one;
            }
        }
        const auto answer =
            get(url("/v3/releases/" + url_escape(name.slug() + "-" + version)), largest_forge_page);
        auto found = answer ? read_forge_release(parsed(*answer, name.full())) : std::nullopt;
        if (!found) {
            throw Error("bolt/unknown-module-release", fmt::format("{} has no version {} of the module {}",
                                                                   settings_.forge, version, name.full()));
        }
        return *std::move(found);
    }

    std::string download(const Release& release) override {
        if (release.file.empty()) {
            throw Error("bolt/http-error",
                        fmt::format("{} does not say where the archive of {} {} is", settings_.forge,
                                    release.name.full(), version_text(release.version)));
        }
        auto bytes = get(url(release.file), largest_forge_archive);
        if (!bytes) {
            throw Error("bolt/http-error",
                        fmt::format("{} does not have the archive of {} {}", settings_.forge,
                                    release.name.full(), version_text(release.version)));
        }
        check_archive(release, *bytes);
        return *std::move(bytes);
    }

    std::string place() const override { return settings_.forge; }

private:
    /// What the API names is a path of its server; one below a prefix leaves the prefix out.
    std::string url(const std::string& path) const {
        if (path.starts_with("http://") || path.starts_with("https://")) return path;
        const std::size_t host = settings_.forge.find('/', settings_.forge.find("://") + 3);
        const std::string prefix = host == std::string::npos ? std::string() : settings_.forge.substr(host);
        if (!prefix.empty() && path.starts_with(prefix + "/")) return settings_.forge.substr(0, host) + path;
        return settings_.forge + (path.starts_with('/') ? "" : "/") + path;
    }

    bool is_own(const std::string& url) const {
        return url.starts_with(settings_.forge) &&
               (url.size() == settings_.forge.size() || url[settings_.forge.size()] == '/');
    }

    /// nullopt for 404. Any thread.
    std::optional<std::string> get(const std::string& url, std::size_t largest) const {
        HttpRequest request;
        request.url = url;
        request.headers = {"User-Agent: volley", "Accept: application/json, */*"};
        if (!settings_.authorization.empty() && is_own(url))
            request.headers.push_back("Authorization: " + settings_.authorization);
        request.proxy = settings_.forge_proxy;
        request.redirects = 5;
        request.largest = largest;
        for (int attempt = 1;; ++attempt) {
            std::string problem;
            try {
                HttpResponse response = http_send(request);
                if (response.status == 404) return std::nullopt;
                if (response.status == 200) return std::move(response.body);
                problem = fmt::format("{} answered with status {}", settings_.forge, response.status);
                if (response.status == 401 || response.status == 403)
                    problem += ": check module-install: forge: authorization_token";
                if (!worth_another_attempt(response.status)) throw Error("bolt/http-error", problem);
            } catch (const Error& error) {
                if (attempt >= forge_attempts || !problem.empty()) throw;
                problem = error.what();
            }
            if (attempt >= forge_attempts)
                throw Error("bolt/http-error", fmt::format("{}, {} times", problem, attempt));
            log(LogLevel::Info, forge_logger, problem + "; asking again");
            std::this_thread::sleep_for(std::chrono::milliseconds(200) * (1 << (2 * (attempt - 1))));
        }
    }

    Json parsed(const std::string& text, const std::string& about) const {
        std::string fault;
        Json json = try_parse_json(text, fault);
        if (json.is_object()) return json;
        if (fault.empty()) fault = "the answer is not a JSON object";
        throw Error("bolt/http-error",
                    fmt::format("{} did not answer with a JSON object about {} ({}): is it a Forge?",
                                settings_.forge, about, fault));
    }

    /// The texts of all pages. Any thread: nothing is kept.
    std::vector<std::string> fetch_pages(const std::string& slug) const {
        std::vector<std::string> pages;
        std::string next = "/v3/releases?module=" + url_escape(slug) +
                           "&limit=50&exclude_fields=readme,changelog,license,reference,tasks,plans";
        while (!next.empty()) {
            if (pages.size() == most_forge_pages)
                throw Error("bolt/http-error",
                            fmt::format("{} returned too many pages about {}", settings_.forge, slug));
            auto page = get(url(next), largest_forge_page);
            if (!page) return pages;
            const Json json = parsed(*page, slug);
            const auto pagination = json.find("pagination");
            next = pagination != json.end() && pagination->is_object() ? text_in(*pagination, "next")
                                                                       : std::string();
            pages.push_back(*std::move(page));
        }
        return pages;
    }

    /// On the one thread that works with values of the language.
    std::vector<Release> read_pages(const std::string& slug, const std::vector<std::string>& pages) const {
        std::vector<Release> releases;
        for (const std::string& page : pages) {
            const Json json = parsed(page, slug);
            const auto results = json.find("results");
            if (results == json.end() || !results->is_array()) continue;
            for (const Json& one : *results) {
                if (auto release = read_forge_release(one)) releases.push_back(*std::move(release));
            }
        }
        sort_releases(releases);
        log(LogLevel::Debug, forge_logger, fmt::format("{}: {} releases", slug, releases.size()));
        return releases;
    }

    const SourceSettings settings_;
    std::map<std::string, std::vector<Release>> known_;
};

}  // namespace

std::unique_ptr<Forge> make_forge_client(const SourceSettings& settings) {
    return std::make_unique<ForgeClient>(settings);
}

}  // namespace volley::modules
