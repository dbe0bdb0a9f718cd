#include "ciphers.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

// AES in counter mode (RFC 3711 §4.1.1, RFC 6188) and in Galois counter mode (RFC 7714). libsrtp passes a key followed
// by its salt. Then it passes for each packet a vector, the authenticated header (GCM only) and the rest.

struct aes {
    srtp_cipher_t cipher;
    EVP_CIPHER_CTX *context;
    unsigned int tag_octets;
    int salt_octets;
    uint8_t salt[COUNTER_SALT];
};

static srtp_err_status_t release(srtp_cipher_t *cipher)
{
    struct aes *aes = cipher->state;
    EVP_CIPHER_CTX_free(aes->context);
    OPENSSL_cleanse(aes, sizeof *aes);
    free(aes);
    return srtp_err_status_ok;
}

static srtp_err_status_t make(
    srtp_cipher_t **made, const srtp_cipher_type_t *type, const char *name, int key_octets, int salt_octets)
{
    struct aes *aes = calloc(1, sizeof *aes);
    if (aes == NULL) return srtp_err_status_alloc_fail;
    aes->cipher = (srtp_cipher_t){ .type = type, .state = aes, .key_len = key_octets, .algorithm = (int)type->id };
    aes->salt_octets = salt_octets;
    aes->context = EVP_CIPHER_CTX_new();

    EVP_CIPHER *algorithm = EVP_CIPHER_fetch(NULL, name, NULL);
    int usable = aes->context != NULL && algorithm != NULL
        && key_octets == EVP_CIPHER_get_key_length(algorithm) + salt_octets
        && EVP_CipherInit_ex2(aes->context, algorithm, NULL, NULL, 1, NULL) == 1;
    EVP_CIPHER_free(algorithm);
    if (!usable) {
        release(&aes->cipher);
        return srtp_err_status_alloc_fail;
    }
    *made = &aes->cipher;
    return srtp_err_status_ok;
}

static srtp_err_status_t set_key(void *state, const uint8_t *key)
{
    struct aes *aes = state;
    memcpy(aes->salt, key + aes->cipher.key_len - aes->salt_octets, (size_t)aes->salt_octets);
    return EVP_CipherInit_ex2(aes->context, NULL, key, NULL, -1, NULL) == 1 ? srtp_err_status_ok : srtp_err_status_init_fail;
}

static srtp_err_status_t update(struct aes *aes, uint8_t *out, const uint8_t *in, unsigned int octets)
{
    int written;
    return EVP_CipherUpdate(aes->context, out, &written, in, (int)octets) == 1 ? srtp_err_status_ok
                                                                               : srtp_err_status_cipher_fail;
}

// MARK: - Counter mode

static srtp_err_status_t make_counter_128(srtp_cipher_t **made, int key_octets, int tag_octets)
{
    (void)tag_octets;
    return make(made, &csrtp_counter_128, "AES-128-CTR", key_octets, COUNTER_SALT);
}

static srtp_err_status_t make_counter_256(srtp_cipher_t **made, int key_octets, int tag_octets)
{
    (void)tag_octets;
    return make(made, &csrtp_counter_256, "AES-256-CTR", key_octets, COUNTER_SALT);
}

static srtp_err_status_t set_counter(void *state, uint8_t *vector, srtp_cipher_direction_t direction)
{
    (void)direction; // Both are the same exclusive or.
    struct aes *aes = state;
    uint8_t counter[BLOCK];
    memcpy(counter, vector, sizeof counter);
    for (int i = 0; i < COUNTER_SALT; i++) counter[i] ^= aes->salt[i];
    return EVP_CipherInit_ex2(aes->context, NULL, NULL, counter, -1, NULL) == 1 ? srtp_err_status_ok
                                                                                : srtp_err_status_cipher_fail;
}

static srtp_err_status_t apply(void *state, uint8_t *text, unsigned int *octets) { return update(state, text, text, *octets); }

// MARK: - Galois counter mode

/// libsrtp's own vectors also have tags of 8 octets (RFC 7714 §14.2 excludes them from SRTP).
static srtp_err_status_t make_galois(
    srtp_cipher_t **made, const srtp_cipher_type_t *type, const char *name, int key_octets, int tag_octets)
{
    if (tag_octets != GALOIS_TAG && tag_octets != GALOIS_TAG / 2) return srtp_err_status_bad_param;
    srtp_err_status_t status = make(made, type, name, key_octets, GALOIS_SALT);
    if (status == srtp_err_status_ok) ((struct aes *)(*made)->state)->tag_octets = (unsigned int)tag_octets;
    return status;
}

static srtp_err_status_t make_galois_128(srtp_cipher_t **made, int key_octets, int tag_octets)
{
    return make_galois(made, &csrtp_galois_128, "AES-128-GCM", key_octets, tag_octets);
}

static srtp_err_status_t make_galois_256(srtp_cipher_t **made, int key_octets, int tag_octets)
{
    return make_galois(made, &csrtp_galois_256, "AES-256-GCM", key_octets, tag_octets);
}

/// The vector already includes the salt.
static srtp_err_status_t set_vector(void *state, uint8_t *vector, srtp_cipher_direction_t direction)
{
    struct aes *aes = state;
    int encrypts = direction == srtp_direction_encrypt;
    return EVP_CipherInit_ex2(aes->context, NULL, NULL, vector, encrypts, NULL) == 1 ? srtp_err_status_ok
                                                                                     : srtp_err_status_cipher_fail;
}

static srtp_err_status_t set_header(void *state, const uint8_t *header, uint32_t octets)
{
    return update(state, NULL, header, octets);
}

static srtp_err_status_t seal(void *state, uint8_t *text, unsigned int *octets) { return update(state, text, text, *octets); }

static srtp_err_status_t get_tag(void *state, uint8_t *tag, uint32_t *octets)
{
    struct aes *aes = state;
    int written;
    if (EVP_CipherFinal_ex(aes->context, tag, &written) != 1
        || EVP_CIPHER_CTX_ctrl(aes->context, EVP_CTRL_AEAD_GET_TAG, (int)aes->tag_octets, tag) != 1)
        return srtp_err_status_cipher_fail;
    *octets = aes->tag_octets;
    return srtp_err_status_ok;
}

/// The tag follows the text.
static srtp_err_status_t open(void *state, uint8_t *text, unsigned int *octets)
{
    struct aes *aes = state;
    if (*octets < aes->tag_octets) return srtp_err_status_bad_param;
    unsigned int length = *octets - aes->tag_octets;
    int written;
    if (update(aes, text, text, length) != srtp_err_status_ok
        || EVP_CIPHER_CTX_ctrl(aes->context, EVP_CTRL_AEAD_SET_TAG, (int)aes->tag_octets, text + length) != 1
        || EVP_CipherFinal_ex(aes->context, text + length, &written) != 1)
        return srtp_err_status_auth_fail;
    *octets = length;
    return srtp_err_status_ok;
}

// MARK: - The interface to libsrtp

const srtp_cipher_type_t csrtp_counter_128 = {
    make_counter_128, release, set_key, NULL, apply, apply, set_counter, NULL,
    "AES-128 counter mode", &csrtp_counter_128_vector, SRTP_AES_ICM_128,
};

const srtp_cipher_type_t csrtp_counter_256 = {
    make_counter_256, release, set_key, NULL, apply, apply, set_counter, NULL,
    "AES-256 counter mode", &csrtp_counter_256_vector, SRTP_AES_ICM_256,
};

const srtp_cipher_type_t csrtp_galois_128 = {
    make_galois_128, release, set_key, set_header, seal, open, set_vector, get_tag,
    "AES-128 GCM", &csrtp_galois_128_vector, SRTP_AES_GCM_128,
};

const srtp_cipher_type_t csrtp_galois_256 = {
    make_galois_256, release, set_key, set_header, seal, open, set_vector, get_tag,
    "AES-256 GCM", &csrtp_galois_256_vector, SRTP_AES_GCM_256,
};
