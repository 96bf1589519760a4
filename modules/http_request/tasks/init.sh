#!/bin/sh
# Sends a request with curl, or with wget where there is none. URL, headers and body are in files and not in arguments,
# where every user of the machine could read them.
. "$PT__installdir/shell_task_helper/files/task.sh"
kind=http_request

# The path as a browser takes it, relative to the base.
join_url() {
    scheme=${1%%://*} rest=${1#*://}
    host=${rest%%[/?#]*}
    path=${rest#"$host"}
    path=${path%%[?#]*}
    case $2 in
        '') printf '%s' "$1" ;;
        http://* | https://*) printf '%s' "$2" ;;
        /*) printf '%s://%s%s' "$scheme" "$host" "$2" ;;
        \?*) printf '%s://%s%s%s' "$scheme" "$host" "${path:-/}" "$2" ;;
        *) printf '%s://%s%s/%s' "$scheme" "$host" "${path%/*}" "$2" ;;
    esac
}

# What stands in quotes in curl's configuration.
quoted() { printf '"%s"' "$(printf '%s' "$1" | sed -e 's/[\\"]/\\&/g')"; }
carriage_return=$(printf '\r')
one_line() {
    case $1 in *'
'* | *"$carriage_return"*) fail $kind/invalid-value "a URL, header or file name has a line break" ;; esac
}

with_curl() {
    {
        printf 'url = %s\nrequest = %s\n' "$(quoted "$url")" "$method"
        while IFS= read -r header; do printf 'header = %s\n' "$(quoted "$header")"; done <"$scratch/headers"
        [ ! -f "$scratch/body" ] || printf 'data-binary = %s\n' "$(quoted "@$scratch/body")"
        [ -z "$PT_cacert" ] || printf 'cacert = %s\n' "$(quoted "$PT_cacert")"
        [ -z "$PT_cert" ] || printf 'cert = %s\n' "$(quoted "$PT_cert")"
        [ -z "$PT_key" ] || printf 'key = %s\n' "$(quoted "$PT_key")"
        if [ "${PT_follow_redirects:-true}" = true ]; then
            printf 'location\npost301\npost302\npost303\nmax-redirs = %s\n' "${PT_max_redirects:-20}"
        fi
    } >"$scratch/request"
    status=$(curl -q -sS --globoff --connect-timeout 60 -o "$scratch/answer" -w '%{http_code}' -K "$scratch/request" 2>"$scratch/err")
    case $? in
        0) ;;
        47) fail $kind/too-many-redirects-error "Too many redirects (max: ${PT_max_redirects:-20})" ;;
        *) fail $kind/connect-error "Failed to connect to $shown_url: $(cat "$scratch/err")" ;;
    esac
}

with_wget() {
    {
        printf 'method = %s\n' "$method"
        while IFS= read -r header; do printf 'header = %s\n' "$header"; done <"$scratch/headers"
        [ ! -f "$scratch/body" ] || printf 'body_file = %s\n' "$scratch/body"
        [ -z "$PT_cacert" ] || printf 'ca_certificate = %s\n' "$PT_cacert"
        [ -z "$PT_cert" ] || printf 'certificate = %s\n' "$PT_cert"
        [ -z "$PT_key" ] || printf 'private_key = %s\n' "$PT_key"
        if [ "${PT_follow_redirects:-true}" = true ]; then echo "max_redirect = ${PT_max_redirects:-20}"; else echo "max_redirect = 0"; fi
        # A kept connection that the server has closed would count as its only try.
        printf 'content_on_error = on\ntries = 1\nconnect_timeout = 60\nhttp_keep_alive = off\n'
    } >"$scratch/request"
    printf '%s\n' "$url" >"$scratch/url"
    WGETRC=$scratch/request wget -S -O "$scratch/answer" -i "$scratch/url" >/dev/null 2>"$scratch/err"
    ended=$?
    status=$(sed -n 's/^ *HTTP\/[0-9.]* \([0-9][0-9][0-9]\).*/\1/p' "$scratch/err" | tail -n 1)
    case $ended in
        0 | 8) ;;  # 8: the server answered with an error, which is an answer
        *) fail $kind/connect-error "Failed to connect to $shown_url: $(grep . "$scratch/err" | tail -n 1)" ;;
    esac
    if [ "${PT_follow_redirects:-true}" = true ] && grep -q 'redirections exceeded' "$scratch/err"; then
        fail $kind/too-many-redirects-error "Too many redirects (max: ${PT_max_redirects:-20})"
    fi
}

url=$(join_url "$PT_base_url" "$PT_path")
case $url in http://* | https://*) ;; *) fail $kind/connect-error "base_url must begin with http:// or https://" ;; esac
shown_url=${url%%\?*}
case $shown_url in *@*) shown_url=${shown_url%%://*}://${shown_url#*@} ;; esac
method=$(printf '%s' "${PT_method:-get}" | tr '[:lower:]' '[:upper:]')
make_scratch $kind/failure
: >"$scratch/headers"
: >"$scratch/answer"
if [ -n "$PT_headers" ]; then
    json_lines "$PT_headers" >"$scratch/given" || fail $kind/invalid-value "headers is not JSON"
    while IFS=$tab read -r name value; do
        header="$(printf %b "$name"): $(printf %b "$value")"
        one_line "$header"
        printf '%s\n' "$header" >>"$scratch/headers"
    done <"$scratch/given"
fi
if [ "$PT_json_endpoint" = true ]; then
    grep -qi '^content-type:' "$scratch/headers" || echo "Content-Type: application/json" >>"$scratch/headers"
fi
[ -z "${PT_body+x}" ] || printf '%s' "$PT_body" >"$scratch/body"
for value in "$url" "$PT_cacert" "$PT_cert" "$PT_key"; do one_line "$value"; done
if command -v curl >/dev/null 2>&1; then with_curl
elif command -v wget >/dev/null 2>&1; then with_wget
else fail $kind/failure "neither curl nor wget is here to send a request"; fi

if [ "$PT_json_endpoint" = true ]; then
    LC_ALL=C awk -f "$PT__installdir/shell_task_helper/files/json.awk" "$scratch/answer" >/dev/null ||
        fail $kind/json-parse-error "Unable to parse response body as JSON"
    body=$(cat "$scratch/answer")
else
    body=$(json_file "$scratch/answer")
fi
printf '{"body": %s, "status_code": %s}\n' "$body" "$status"
