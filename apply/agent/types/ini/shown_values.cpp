#include "apply/agent/types/ini/shown_values.hpp"

#include "apply/agent/checksums/digest.hpp"
#include "apply/agent/types/parameters.hpp"

namespace volley::agent {

ShownValues::ShownValues(const Resource& resource, const Run& run) {
    const std::string word = word_parameter(resource, "show_diff", "true, md5, false", "true");
    if (run.settings.show_diff) how_ = word == "true" ? How::Whole : word == "md5" ? How::Sum : How::Not;
}

std::string ShownValues::shown(const Value& value) const {
    if (how_ == How::Not) return "[redacted sensitive information]";
    return how_ == How::Whole ? value.to_text() : "{md5}" + digest_of("md5", value.to_text());
}

}  // namespace volley::agent
