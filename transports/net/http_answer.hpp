#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/error_code.hpp>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "transports/task.hpp"

namespace volley::transports {

/// The head of a request (RFC 9112, 2.1) with these headers and, where there is a body and for every POST,
/// its length.
std::string http_request_head(std::string_view method, std::string_view target,
                              const std::vector<std::pair<std::string, std::string>>& headers,
                              std::size_t body_size);

/// Takes the answers of one HTTP/1.1 connection apart, one after the other, whatever the connection is made
/// of. The errors are Beast's (boost::beast::http::error: body_limit, end_of_stream, ...) and those of the
/// stream. One thread at a time; nothing but begin() is called before the first begin().
class HttpAnswerReader {
public:
    HttpAnswerReader();
    ~HttpAnswerReader();
    HttpAnswerReader(HttpAnswerReader&&) noexcept;
    HttpAnswerReader& operator=(HttpAnswerReader&&) noexcept;

    /// The next answer begins, whose body has at most `most` bytes and whose head 64 KiB. With
    /// `pause_at_head` nothing is read beyond its head until go_on().
    void begin(std::size_t most, bool pause_at_head = false);
    void go_on();
    /// For what is read next.
    boost::asio::mutable_buffer space();
    /// So many bytes were read into space(), or why not; an end of the stream may be that of the answer.
    void add(std::size_t size, boost::system::error_code& failed);

    bool paused() const;
    bool done() const;
    unsigned status() const;
    /// The connection can take another request after this one.
    bool keep_alive() const;
    /// The values of a header, one for each time that it is there.
    std::vector<std::string> header(std::string_view name) const;
    std::string take_body();
    /// What was read after the head where the answer is paused, and after its end where it is done.
    std::string_view rest() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Reads an answer that has begun, to its end or to where it is paused.
template <class Stream>
Task<void> read_answer(Stream& stream, HttpAnswerReader& reader, boost::system::error_code& failed) {
    reader.add(0, failed);  // what came with the one before
    while (!failed && !reader.done() && !reader.paused()) {
        const std::size_t size = co_await stream.async_read_some(
            reader.space(), boost::asio::redirect_error(boost::asio::use_awaitable, failed));
        reader.add(size, failed);
    }
}

}  // namespace volley::transports
