#ifndef CSRTP_CIPHERS_H
#define CSRTP_CIPHERS_H

// libsrtp's interface for ciphers. `include/CSRTP.h` says why it is here.

#include <srtp2/auth.h>
#include <srtp2/cipher.h>
#include <srtp2/srtp.h>

// Octets of an AES block, of the salts after a key (RFC 3711 §8.2, RFC 7714 §11), and of the GCM tag.
enum { BLOCK = 16, COUNTER_SALT = 14, GALOIS_SALT = 12, GALOIS_TAG = 16 };

extern const srtp_cipher_type_t csrtp_counter_128, csrtp_counter_256, csrtp_galois_128, csrtp_galois_256;
extern const srtp_auth_type_t csrtp_hmac;

// Published vectors, with which libsrtp tests a cipher before it accepts it.
extern const srtp_cipher_test_case_t csrtp_counter_128_vector, csrtp_counter_256_vector;
extern const srtp_cipher_test_case_t csrtp_galois_128_vector, csrtp_galois_256_vector;
extern const srtp_auth_test_case_t csrtp_hmac_vector;

#endif
