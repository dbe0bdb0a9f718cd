#ifndef CSRTP_H
#define CSRTP_H

/// libsrtp, and what computes its ciphers.

#include <srtp2/srtp.h>

/// Initialises libsrtp and has OpenSSL compute what our suites need: AES in counter mode and in GCM with keys of 128 and
/// 256 bits, and HMAC-SHA1.
///
/// Why: Debian builds libsrtp on NSS, which takes locks and asks the heap 14 times a packet. What stands here asks it
/// for nothing once a session has its keys. libsrtp holds each cipher to the vectors it brought and to those of
/// `vectors.c` before it takes it.
///
/// Once in a process, before anything else of libsrtp. Takes some 30 ms.
/// - Returns: `srtp_err_status_ok`, or why the library or one of the ciphers cannot be used.
srtp_err_status_t csrtp_start(void);

#endif
