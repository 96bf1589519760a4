#include "transports/net/http_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <optional>

namespace volley::transports {
namespace {

namespace http = boost::beast::http;
using boost::system::error_code;

constexpr std::size_t most_head = 64UL * 1024;
// Most answers are shorter. Each of thousands of connections has this much.
constexpr std::size_t usual_answer = 4096;
constexpr std::size_t least_space = 512;
constexpr std::size_t most_space = 64UL * 1024;

}  // namespace

std::string http_request_head(std::string_view method, std::string_view target,
                              const std::vector<std::pair<std::string, std::string>>& headers,
                              std::size_t body_size) {
    std::string text = fmt::format("{} {} HTTP/1.1\r\n", method, target);
    for (const auto& [name, value] : headers) text += fmt::format("{}: {}\r\n", name, value);
    if (body_size > 0 || method == "POST") text += fmt::format("Content-Length: {}\r\n", body_size);
    return text + "\r\n";
}

struct HttpAnswerReader::State {
    boost::beast::flat_buffer buffer;
    std::optional<http::response_parser<http::string_body>> parser;
    bool pause_at_head = false;
};

HttpAnswerReader::HttpAnswerReader() : state_(std::make_unique<State>()) {}
HttpAnswerReader::~HttpAnswerReader() = default;
HttpAnswerReader::HttpAnswerReader(HttpAnswerReader&&) noexcept = default;
HttpAnswerReader& HttpAnswerReader::operator=(HttpAnswerReader&&) noexcept = default;

void HttpAnswerReader::begin(std::size_t most, bool pause_at_head) {
    state_->parser.emplace();
    state_->parser->body_limit(most);
    state_->parser->header_limit(most_head);
    state_->parser->eager(!pause_at_head);
    state_->pause_at_head = pause_at_head;
    state_->buffer.reserve(usual_answer);
}

void HttpAnswerReader::go_on() {
    state_->parser->eager(true);
    state_->pause_at_head = false;
}

boost::asio::mutable_buffer HttpAnswerReader::space() {
    const std::size_t free = state_->buffer.capacity() - state_->buffer.size();
    return state_->buffer.prepare(std::clamp(free, least_space, most_space));
}

void HttpAnswerReader::add(std::size_t size, error_code& failed) {
    if (failed == boost::asio::error::eof) {
        failed.clear();
        // An answer without a length ends with its stream.
        if (state_->parser->got_some())
            state_->parser->put_eof(failed);
        else
            failed = http::error::end_of_stream;
    } else if (!failed) {
        state_->buffer.commit(size);
        if (state_->buffer.size() == 0 || paused() || done()) return;
        state_->buffer.consume(state_->parser->put(state_->buffer.data(), failed));
        if (failed == http::error::need_more) failed.clear();
    }
}

bool HttpAnswerReader::paused() const { return state_->pause_at_head && state_->parser->is_header_done(); }
bool HttpAnswerReader::done() const { return state_->parser->is_done(); }
unsigned HttpAnswerReader::status() const { return state_->parser->get().result_int(); }
bool HttpAnswerReader::keep_alive() const { return state_->parser->keep_alive(); }

std::vector<std::string> HttpAnswerReader::header(std::string_view name) const {
    std::vector<std::string> values;
    const auto [from, to] = state_->parser->get().equal_range({name.data(), name.size()});
    for (auto field = from; field != to; ++field)
        values.emplace_back(field->value().data(), field->value().size());
    return values;
}

std::string_view HttpAnswerReader::rest() const {
    const auto rest = state_->buffer.cdata();
    return {static_cast<const char*>(rest.data()), rest.size()};
}

std::string HttpAnswerReader::take_body() { return std::move(state_->parser->get().body()); }

}  // namespace volley::transports
