#ifndef CSRTP_H
#define CSRTP_H

/// libsrtp, with ciphers computed by OpenSSL.

#include <srtp2/srtp.h>

/// Initialises libsrtp and makes OpenSSL compute the ciphers of our suites: AES in counter mode and in GCM with keys of
/// 128 and 256 bits, and HMAC-SHA1.
///
/// Why: Debian builds libsrtp on NSS, which takes locks and allocates 14 times a packet. These ciphers allocate nothing
/// once a session has its keys. libsrtp tests each cipher with its own vectors and with those of `vectors.c` before it
/// accepts it.
///
/// Call it once in a process, before anything else of libsrtp. Takes some 30 ms.
/// - Returns: `srtp_err_status_ok`, or why the library or one of the ciphers cannot be used.
srtp_err_status_t csrtp_start(void);

#endif
