// These functions are deprecated, but their replacements, EVP_Digest… and EVP_MAC, allocate for every message in
// OpenSSL 3.0.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "ciphers.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <stdlib.h>
#include <string.h>

// HMAC-SHA1 (RFC 2104, RFC 3711 §4.2.1). The two states that depend only on the key are kept, so that a message needs
// two blocks less.

struct hmac {
    srtp_auth_t auth;
    SHA_CTX inner, outer, current;
};

static srtp_err_status_t release(srtp_auth_t *auth)
{
    struct hmac *hmac = auth->state;
    OPENSSL_cleanse(hmac, sizeof *hmac);
    free(hmac);
    return srtp_err_status_ok;
}

static srtp_err_status_t make(srtp_auth_t **made, int key_octets, int tag_octets)
{
    if (key_octets < 0 || key_octets > SHA_CBLOCK || tag_octets < 0 || tag_octets > SHA_DIGEST_LENGTH)
        return srtp_err_status_bad_param;
    struct hmac *hmac = calloc(1, sizeof *hmac);
    if (hmac == NULL) return srtp_err_status_alloc_fail;
    hmac->auth = (srtp_auth_t){ .type = &csrtp_hmac, .state = hmac, .out_len = tag_octets, .key_len = key_octets };
    *made = &hmac->auth;
    return srtp_err_status_ok;
}

static srtp_err_status_t start(void *state)
{
    struct hmac *hmac = state;
    hmac->current = hmac->inner;
    return srtp_err_status_ok;
}

static int begin(SHA_CTX *digest, const uint8_t *key, int octets, uint8_t filler)
{
    uint8_t block[SHA_CBLOCK];
    memset(block, filler, sizeof block);
    for (int i = 0; i < octets; i++) block[i] ^= key[i];
    int begun = SHA1_Init(digest) == 1 && SHA1_Update(digest, block, sizeof block) == 1;
    OPENSSL_cleanse(block, sizeof block);
    return begun;
}

static srtp_err_status_t set_key(void *state, const uint8_t *key, int octets)
{
    struct hmac *hmac = state;
    if (octets < 0 || octets > SHA_CBLOCK) return srtp_err_status_bad_param;
    if (!begin(&hmac->inner, key, octets, 0x36) || !begin(&hmac->outer, key, octets, 0x5c)) return srtp_err_status_init_fail;
    return start(hmac);
}

static srtp_err_status_t update(void *state, const uint8_t *message, int octets)
{
    struct hmac *hmac = state;
    return SHA1_Update(&hmac->current, message, (size_t)octets) == 1 ? srtp_err_status_ok : srtp_err_status_auth_fail;
}

static srtp_err_status_t compute(void *state, const uint8_t *message, int octets, int tag_octets, uint8_t *tag)
{
    struct hmac *hmac = state;
    uint8_t digest[SHA_DIGEST_LENGTH];
    if (tag_octets < 0 || tag_octets > SHA_DIGEST_LENGTH) return srtp_err_status_bad_param;
    if (update(hmac, message, octets) != srtp_err_status_ok || SHA1_Final(digest, &hmac->current) != 1)
        return srtp_err_status_auth_fail;
    hmac->current = hmac->outer;
    if (update(hmac, digest, sizeof digest) != srtp_err_status_ok || SHA1_Final(digest, &hmac->current) != 1)
        return srtp_err_status_auth_fail;
    memcpy(tag, digest, (size_t)tag_octets);
    return srtp_err_status_ok;
}

const srtp_auth_type_t csrtp_hmac = {
    make, release, set_key, compute, update, start, "HMAC-SHA1", &csrtp_hmac_vector, SRTP_HMAC_SHA1,
};
