#include "apply/agent/types/file/file_source.hpp"

#include <array>
#include <ctime>

#include "apply/agent/checksums/digest.hpp"
#include "apply/agent/values/errors.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

std::string unescaped(std::string_view text) {
    const auto digit = [](char c) {
        return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
    };
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0) {
            out += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

std::string normal_place(std::string place) {
    while (place.size() > 1 && place.back() == '/') place.pop_back();
    if (place.starts_with('/')) return "file://" + place;
    const std::size_t colon = place.find(':');
    if (colon == std::string::npos) throw ApplyError("Cannot use relative URLs '" + place + "'");
    if (place.compare(colon, 2, ":/") != 0) throw ApplyError("Cannot use opaque URLs '" + place + "'");
    const std::string scheme = lower(place.substr(0, colon));
    for (const char* known : {"file", "puppet", "http", "https"}) {
        if (scheme == known) return scheme + place.substr(colon);
    }
    throw ApplyError("Cannot use URLs of type '" + scheme + "' as source for fileserving");
}

/// As Ruby prints a time: "2026-01-02 03:04:05 +0100".
std::string local_time_text(const timespec& time) {
    tm parts{};
    ::localtime_r(&time.tv_sec, &parts);
    std::array<char, 64> text{};
    const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S %z", &parts);
    return {text.data(), length};
}

/// What follows the scheme and the host of a URL; nullopt of another scheme.
std::optional<std::string_view> place_in(std::string_view url, std::string_view scheme) {
    if (!url.starts_with(scheme)) return std::nullopt;
    url.remove_prefix(scheme.size());
    if (url.starts_with("//")) url.remove_prefix(std::min(url.find('/', 2), url.size()));
    return url;
}

}  // namespace

std::optional<std::string> local_path(const std::string& url) {
    const auto place = place_in(url, "file:");
    return place ? std::optional(unescaped(*place)) : std::nullopt;
}

std::optional<std::string> source_path(const std::string& url) {
    const auto place = place_in(url, "file:");
    return place ? std::optional(std::string(*place)) : std::nullopt;
}

std::optional<std::string> offered_path(const std::string& url) {
    if (url.starts_with("http:") || url.starts_with("https:")) return url;
    auto place = place_in(url, "puppet:");
    if (!place) return std::nullopt;
    while (place->starts_with('/')) place->remove_prefix(1);
    return std::string(*place);
}

bool is_time_checksum(std::string_view type) { return type == "none" || type == "ctime" || type == "mtime"; }

std::string checksum_of(const std::string& path, const std::string& algorithm) {
    std::string prefix = "{" + algorithm + "}";
    if (algorithm == "none") return prefix;
    if (algorithm == "mtime" || algorithm == "ctime") {
        const auto stat = file_stat(path, true);
        if (!stat) throw SystemError(2, path);
        return prefix + local_time_text(algorithm == "mtime" ? stat->changed : stat->status_changed);
    }
    const auto digest = make_digest(algorithm);
    if (!digest) throw ApplyError("Unsupported checksum type " + algorithm);
    read_pieces(path, [&](std::string_view piece) { digest->add(piece); });
    return prefix + digest->finish();
}

FileSource::FileSource(std::vector<std::string> places, Run& run) : run_(run) {
    for (std::string& place : places) urls_.push_back(normal_place(std::move(place)));
}

std::optional<SourceFacts> FileSource::look(const std::string& url, const std::string& algorithm,
                                            bool follow_links) const {
    SourceFacts facts;
    facts.url = url;
    if (const auto path = source_path(url)) {
        const auto stat = file_stat(*path, follow_links);
        const bool leads_nowhere = stat && stat->kind == FileKind::Link && !file_exists(*path);
        if (!stat || (leads_nowhere && !takes_dangling_links_)) return std::nullopt;
        facts.local = *path;
        facts.stat = *stat;
        facts.kind = stat->kind;
        if (stat->kind == FileKind::File) {
            facts.checksum = checksum_of(*path, algorithm);
        } else if (stat->kind == FileKind::Link) {
            facts.link_target = read_link(*path);
        } else if (stat->kind != FileKind::Directory) {
            throw UnmanagedSource(url, kind_word(stat->kind));
        }
        return facts;
    }
    if (const auto path = offered_path(url)) {
        if (run_.contents == nullptr) return std::nullopt;
        const auto offered = run_.contents->find(*path);
        if (!offered) return std::nullopt;
        if (offered->kind == "directory") facts.kind = FileKind::Directory;
        facts.offered_sum = offered->checksum;
        facts.stat.mode = offered->mode;
        if (facts.kind != FileKind::File) return facts;
        facts.checksum = "{" + algorithm + "}" + offered->checksum;
        if (algorithm != "sha256") {
            const auto digest = make_digest(algorithm);
            if (!digest) throw ApplyError("The agent cannot compare " + url + " by " + algorithm);
            run_.contents->fetch(offered->checksum, [&](std::string_view piece) { digest->add(piece); });
            facts.checksum = "{" + algorithm + "}" + digest->finish();
        }
        return facts;
    }
    return std::nullopt;
}

const SourceFacts& FileSource::facts(const std::string& algorithm, bool follow_links) {
    if (facts_) return *facts_;
    for (const std::string& url : urls_) {
        facts_ = look(url, algorithm, follow_links);
        if (facts_) return *facts_;
    }
    throw ApplyError("Could not retrieve information from environment " + run_.catalog.environment +
                     " source(s) " + join(urls_, ", "));
}

void FileSource::read(const std::function<void(std::string_view)>& take) const {
    if (!facts_->local.empty())
        read_pieces(facts_->local, take);
    else
        run_.contents->fetch(facts_->offered_sum, take);
}

}  // namespace volley::agent
