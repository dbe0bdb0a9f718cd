#ifndef CDATAGRAM_H
#define CDATAGRAM_H

#include <stddef.h>
#include <sys/types.h>

/// The local address of a datagram, which the kernel tells and takes beside it (ip(7), ipv6(7)), in macros of C.
///
/// Addresses of sockets have no type here: Swift would take those of `netinet/in.h` for this module's own.

/// An address of this host, in the form of IPv6; one of IPv4 is mapped (RFC 4291 §2.5.5.2).
struct cdatagram_local {
    unsigned char address[16];
    /// Whether it is known.
    int is_known;
};

/// Has the kernel tell of each datagram at which address it came.
/// - Returns: 0, or -1 with `errno`.
int cdatagram_tell_local(int socket, int is_ipv6);

/// Receives a datagram, if there is one.
/// - Parameters:
///   - bytes: Cut to its length are the bytes of a longer one.
///   - sender: A `sockaddr_storage`.
///   - local: Where it came; not known unless the kernel was asked to tell.
/// - Returns: its length, or -1 with `errno`.
ssize_t cdatagram_receive(int socket, void *bytes, size_t count, void *sender, struct cdatagram_local *local);

/// Sends a datagram.
/// - Parameters:
///   - receiver: A `sockaddr` of this length.
///   - local: From where; if it is not known, the kernel chooses.
/// - Returns: 0, or an `errno`.
int cdatagram_send(
    int socket, int is_ipv6, const void *bytes, size_t count, const void *receiver, unsigned length,
    const struct cdatagram_local *local);

#endif
