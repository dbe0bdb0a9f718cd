#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../CLoading/loading.h"

// The part of libcurl's stable interface (libcurl.so.4, since 7.87) that the phone uses. The library is loaded when it
// is first used.

struct ccurl_list {
    char *text;
    struct ccurl_list *next;
};

// curl/multi.h: CURLMsg. The result is valid when `what` is CCURL_DONE.
struct ccurl_message {
    int what;
    void *easy;
    union {
        void *whatever;
        int result;
    } data;
};

// curl/multi.h: curl_waitfd.
struct ccurl_wait {
    int descriptor;
    short events;
    short happened;
};

static const int CCURL_DONE = 1;
// CURL_WAIT_POLLIN.
static const short CCURL_READABLE = 1;
// CURL_GLOBAL_ALL.
static const long CCURL_EVERYTHING = 3;
// CURL_ERROR_SIZE.
static const int CCURL_ERROR_BYTES = 256;

// curl/curl.h, `CURLoption`: the number, and the base of the type of its argument.
enum {
    CCURL_PROXY = 10004,
    CCURL_ERROR_BUFFER = 10010,
    CCURL_POST_FIELDS = 10015,
    CCURL_USER_AGENT = 10018,
    CCURL_HTTP_HEADER = 10023,
    CCURL_HEADER_DATA = 10029,
    CCURL_CUSTOM_REQUEST = 10036,
    CCURL_NO_PROGRESS = 43,
    CCURL_POST = 47,
    CCURL_PROXY_TUNNEL = 61,
    CCURL_VERIFY_PEER = 64,
    CCURL_CA_FILE = 10065,
    CCURL_FRESH_CONNECT = 74,
    CCURL_HEADER_FUNCTION = 20079,
    CCURL_HTTP_GET = 80,
    CCURL_VERIFY_HOST = 81,
    CCURL_HTTP_VERSION = 84,
    CCURL_CA_FOLDER = 10097,
    CCURL_NO_SIGNAL = 99,
    CCURL_ACCEPT_ENCODING = 10102,
    CCURL_CONTEXT_FUNCTION = 20108,
    CCURL_CONTEXT_DATA = 10109,
    CCURL_PROXY_AUTH = 111,
    CCURL_LARGEST_FILE = 30117,
    CCURL_POST_SIZE = 30120,
    CCURL_SESSION_CACHE = 150,
    CCURL_TIMEOUT = 155,
    CCURL_CONNECT_TIMEOUT = 156,
    CCURL_PROXY_USER = 10175,
    CCURL_PROXY_PASSWORD = 10176,
    CCURL_NO_PROXY = 10177,
    CCURL_TLS_VERSION = 32,
    CCURL_XFERINFO_FUNCTION = 20219,
    CCURL_PATH_AS_IS = 234,
    CCURL_HIDE_CONNECT_HEADERS = 265,
    CCURL_LONGEST_IDLE = 288,
    CCURL_PROTOCOLS = 10318,
    CCURL_QUICK_EXIT = 322,
    CCURL_WRITE_DATA = 10001,
    CCURL_URL = 10002,
    CCURL_WRITE_FUNCTION = 20011,
    CCURL_XFERINFO_DATA = 10057,
};

// Values of options.
enum {
    CCURL_AUTH_BASIC = 1,
    CCURL_HTTP_1_1 = 2,
    CCURL_TLS_1_2 = 6,
};

// `CURLMoption`.
enum {
    CCURL_MOST_IDLE = 6,
};

// `CURLINFO`.
enum {
    CCURL_INFO_STATUS = 0x200000 + 2,
};

// `CURLcode`.
enum {
    CCURL_OK = 0,
    CCURL_UNSUPPORTED_PROTOCOL = 1,
    CCURL_MALFORMED_URL = 3,
    CCURL_NO_PROXY_ADDRESS = 5,
    CCURL_NO_ADDRESS = 6,
    CCURL_NO_CONNECTION = 7,
    CCURL_WEIRD_ANSWER = 8,
    CCURL_PARTIAL_BODY = 18,
    CCURL_WRITE_ERROR = 23,
    CCURL_NO_MEMORY = 27,
    CCURL_TIMED_OUT = 28,
    CCURL_HANDSHAKE_FAILED = 35,
    CCURL_CALLBACK_ENDED = 42,
    CCURL_NO_ANSWER = 52,
    CCURL_SEND_FAILED = 55,
    CCURL_RECEIVE_FAILED = 56,
    CCURL_CERTIFICATE_REFUSED = 60,
    CCURL_BAD_ENCODING = 61,
    CCURL_LARGE_FILE = 63,
    CCURL_CONTEXT_REFUSED = 77,
    CCURL_TOO_LARGE = 100,
};

typedef size_t (*ccurl_take)(char *, size_t, size_t, void *);
typedef int (*ccurl_progress)(void *, int64_t, int64_t, int64_t, int64_t);
typedef int (*ccurl_context)(void *, void *, void *);

// The functions, as `name, result, parameters`. Results are CURLcode, CURLMcode or pointers; handles are opaque.
#define CCURL_FUNCTIONS(X) \
    X(global_init, int, (long)) \
    X(version_info, const void *, (int)) \
    X(easy_init, void *, (void)) \
    X(easy_cleanup, void, (void *)) \
    X(easy_setopt, int, (void *, int, ...)) \
    X(easy_getinfo, int, (void *, int, ...)) \
    X(easy_strerror, const char *, (int)) \
    X(slist_append, struct ccurl_list *, (struct ccurl_list *, const char *)) \
    X(slist_free_all, void, (struct ccurl_list *)) \
    X(multi_init, void *, (void)) \
    X(multi_cleanup, int, (void *)) \
    X(multi_setopt, int, (void *, int, ...)) \
    X(multi_add_handle, int, (void *, void *)) \
    X(multi_remove_handle, int, (void *, void *)) \
    X(multi_perform, int, (void *, int *)) \
    X(multi_poll, int, (void *, struct ccurl_wait *, unsigned int, int, int *)) \
    X(multi_info_read, struct ccurl_message *, (void *, int *))

// The loaded functions. Only a table that `ccurl_load` has filled is used.
struct ccurl {
    CCURL_FUNCTIONS(LOADING_MEMBER)
};

// Fills the table. Returns NULL, or why the library cannot be used, as `loading_load` does.
static inline const char *ccurl_load(struct ccurl *library, const char *file) {
    static const char *const names[] = {CCURL_FUNCTIONS(LOADING_NAME)};
    return loading_load(file, "curl_", names, sizeof names / sizeof *names, library);
}

// Calls of functions with variable arguments, which Swift does not import.

static inline int ccurl_set_number(const struct ccurl *library, void *easy, int option, long value) {
    return library->easy_setopt(easy, option, value);
}

static inline int ccurl_set_size(const struct ccurl *library, void *easy, int option, int64_t value) {
    return library->easy_setopt(easy, option, value);
}

// The library copies texts, and keeps other pointers.
static inline int ccurl_set_text(const struct ccurl *library, void *easy, int option, const char *text) {
    return library->easy_setopt(easy, option, text);
}

static inline int ccurl_set_pointer(const struct ccurl *library, void *easy, int option, void *pointer) {
    return library->easy_setopt(easy, option, pointer);
}

static inline int ccurl_set_callbacks(
    const struct ccurl *library, void *easy, ccurl_take header, ccurl_take body, ccurl_progress progress,
    ccurl_context context, void *owner) {
    int code = library->easy_setopt(easy, CCURL_HEADER_FUNCTION, header);
    if (!code) code = library->easy_setopt(easy, CCURL_HEADER_DATA, owner);
    if (!code) code = library->easy_setopt(easy, CCURL_WRITE_FUNCTION, body);
    if (!code) code = library->easy_setopt(easy, CCURL_WRITE_DATA, owner);
    if (!code) code = library->easy_setopt(easy, CCURL_XFERINFO_FUNCTION, progress);
    if (!code) code = library->easy_setopt(easy, CCURL_XFERINFO_DATA, owner);
    if (!code) code = library->easy_setopt(easy, CCURL_NO_PROGRESS, 0L);
    // Fails unless the library uses OpenSSL.
    if (!code) code = library->easy_setopt(easy, CCURL_CONTEXT_FUNCTION, context);
    if (!code) code = library->easy_setopt(easy, CCURL_CONTEXT_DATA, owner);
    return code;
}

static inline int ccurl_set_multi(const struct ccurl *library, void *multi, int option, long value) {
    return library->multi_setopt(multi, option, value);
}

static inline int ccurl_status(const struct ccurl *library, void *easy) {
    long status = 0;
    return library->easy_getinfo(easy, CCURL_INFO_STATUS, &status) ? 0 : (int)status;
}

// curl/curl.h, the beginning of `curl_version_info_data`.
struct ccurl_version {
    int age;
    const char *version;
    unsigned int number;
    const char *host;
    int features;
    const char *tls;
};

static inline const char *ccurl_tls(const struct ccurl *library) {
    const struct ccurl_version *version = (const struct ccurl_version *)library->version_info(0);
    return version ? version->tls : NULL;
}

static inline unsigned int ccurl_version_number(const struct ccurl *library) {
    const struct ccurl_version *version = (const struct ccurl_version *)library->version_info(0);
    return version ? version->number : 0;
}

// A curl_slist that had a secret.
static inline void ccurl_wipe_list(struct ccurl_list *list) {
    for (; list; list = list->next) explicit_bzero(list->text, strlen(list->text));
}

#endif
