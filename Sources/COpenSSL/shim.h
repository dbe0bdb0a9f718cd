#ifndef COPENSSL_SHIM_H
#define COPENSSL_SHIM_H

#define OPENSSL_SUPPRESS_DEPRECATED

#include <stdint.h>
#include <sys/time.h>

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/md5.h>
#include <openssl/pem.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// Functions that OpenSSL has only as macros, which Swift does not import.

// Requires at least this version; the machine's configuration may require more.
static inline int copenssl_raise_minimum_version(SSL_CTX *context, int version) {
    return SSL_CTX_get_min_proto_version(context) >= version || SSL_CTX_set_min_proto_version(context, version);
}

// Disables session caches, tickets and renegotiation, so that nothing outlives its connection.
static inline void copenssl_resume_nothing(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET);
    SSL_CTX_set_num_tickets(context, 0);
}

// Frees buffers of 34 kB while they are unused: most connections are idle most of the time.
static inline void copenssl_release_buffers(SSL_CTX *context) { SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS); }

static inline int copenssl_set_server_name(SSL *channel, const char *name) {
    return (int)SSL_set_tlsext_host_name(channel, name);
}

// Makes the client context of another library verify against our authorities, whatever authorities it gets itself.
static inline int copenssl_share_authorities(SSL_CTX *ours, SSL_CTX *foreign) {
    return (int)SSL_CTX_set1_verify_cert_store(foreign, SSL_CTX_get_cert_store(ours));
}

// Requires DTLS 1.2: older versions are broken, and OpenSSL has no newer one.
static inline int copenssl_require_dtls12(SSL_CTX *context) {
    return (int)SSL_CTX_set_min_proto_version(context, DTLS1_2_VERSION);
}

static inline void copenssl_set_mtu(SSL *channel, long bytes) {
    SSL_set_options(channel, SSL_OP_NO_QUERY_MTU);
    SSL_set_mtu(channel, bytes);
}

// Returns 1 if there is something to retransmit after that time.
static inline int copenssl_dtls_time_left(SSL *channel, int64_t *microseconds) {
    struct timeval left;
    if (DTLSv1_get_timeout(channel, &left) != 1) return 0;
    *microseconds = (int64_t)left.tv_sec * 1000000 + left.tv_usec;
    return 1;
}

static inline int copenssl_dtls_timed_out(SSL *channel) { return (int)DTLSv1_handle_timeout(channel); }

// Drops the bytes in a memory BIO.
static inline void copenssl_forget(BIO *memory) { BIO_reset(memory); }

static inline int copenssl_name_count(const GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }

static inline const GENERAL_NAME *copenssl_name(const GENERAL_NAMES *names, int place) {
    return sk_GENERAL_NAME_value(names, place);
}

static inline EVP_PKEY *copenssl_make_p256_key(void) { return EVP_EC_gen("P-256"); }

// Adds an extension to a certificate that its own key will sign. The value has the form of x509v3_config(5).
static inline int copenssl_add_extension(X509 *certificate, int nid, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, certificate, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    if (extension == NULL) return 0;
    int is_added = X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return is_added;
}

// A connection that a C library made from a context of ours. It limits the bytes that the far end sends before the
// library delivers a message: the library would allocate any size that the far end announces.
int shutdown(int socket, int how);  // sys/socket.h, whose types would become types of this module.

struct copenssl_watch {
    // Bytes of records since the owner last set it to 0.
    int64_t received;
    // With more bytes the connection is shut down.
    int64_t limit;
    // Why the last certificate was refused (`X509_V_ERR_…`); X509_V_OK: it was not.
    int verdict;
};

static inline void copenssl_watch_message(
    int is_sent, int version, int type, const void *bytes, size_t count, SSL *channel, void *argument) {
    struct copenssl_watch *watch = (struct copenssl_watch *)argument;
    const unsigned char *header = (const unsigned char *)bytes;
    (void)version;
    if (is_sent || type != SSL3_RT_HEADER || count < 5) return;
    watch->received += 5 + (header[3] << 8 | header[4]);
    if (watch->received > watch->limit) shutdown(SSL_get_fd(channel), 2 /* SHUT_RDWR */);
}

static inline int copenssl_watch_certificate(int is_good, X509_STORE_CTX *verification) {
    if (is_good) return 1;
    SSL *channel = (SSL *)X509_STORE_CTX_get_ex_data(verification, SSL_get_ex_data_X509_STORE_CTX_idx());
    struct copenssl_watch *watch = (struct copenssl_watch *)SSL_CTX_get_app_data(SSL_get_SSL_CTX(channel));
    watch->verdict = X509_STORE_CTX_get_error(verification);
    return 0;
}

// Watches all connections of a client context. The watch must outlive them.
static inline void copenssl_set_watch(SSL_CTX *context, struct copenssl_watch *watch) {
    SSL_CTX_set_app_data(context, watch);
    SSL_CTX_set_verify(context, SSL_CTX_get_verify_mode(context), copenssl_watch_certificate);
    SSL_CTX_set_msg_callback(context, copenssl_watch_message);
    SSL_CTX_set_msg_callback_arg(context, watch);
}

#endif
