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

#endif
