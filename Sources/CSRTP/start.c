#include "CSRTP.h"
#include "ciphers.h"

#include <openssl/crypto.h>

srtp_err_status_t csrtp_start(void)
{
    // OpenSSL must not clean up at exit, because other threads may still protect packets then. The module Cryptography
    // starts OpenSSL the same way.
    if (OPENSSL_init_crypto(OPENSSL_INIT_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT, NULL) != 1) return srtp_err_status_init_fail;

    srtp_err_status_t status = srtp_init();
    if (status != srtp_err_status_ok) return status;

    static const srtp_cipher_type_t *const ciphers[] = {
        &csrtp_counter_128, &csrtp_counter_256, &csrtp_galois_128, &csrtp_galois_256,
    };
    for (size_t i = 0; i < sizeof ciphers / sizeof *ciphers; i++) {
        status = srtp_replace_cipher_type(ciphers[i], ciphers[i]->id);
        if (status != srtp_err_status_ok) return status;
    }
    return srtp_replace_auth_type(&csrtp_hmac, csrtp_hmac.id);
}
