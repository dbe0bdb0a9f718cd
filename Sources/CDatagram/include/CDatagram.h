#ifndef CDATAGRAM_H
#define CDATAGRAM_H

#include <stddef.h>
#include <sys/types.h>

/// The local address and the time of a datagram, which the kernel passes beside it (ip(7), ipv6(7), socket(7)), in C
/// macros.
///
/// Socket addresses have no type here: Swift would import those of `netinet/in.h` as this module's types.

/// An address of this host in IPv6 form; an IPv4 address is mapped (RFC 4291 §2.5.5.2).
struct cdatagram_local {
    unsigned char address[16];
    /// Whether it is known.
    int is_known;
};

/// Makes the kernel report the local address of each datagram.
/// - Returns: 0, or -1 with `errno`.
int cdatagram_tell_local(int socket, int is_ipv6);

/// Makes the kernel report when each datagram arrived. A kernel that refuses reports no time.
void cdatagram_tell_time(int socket);

/// Receives a datagram, if there is one.
/// - Parameters:
///   - bytes: Room for the datagram. A longer one is truncated.
///   - sender: A `sockaddr_storage`.
///   - local: The local address; known only after `cdatagram_tell_local`.
///   - time: When it arrived, in nanoseconds of CLOCK_REALTIME; 0 unless `cdatagram_tell_time` was called.
/// - Returns: its length, or -1 with `errno`.
ssize_t cdatagram_receive(
    int socket, void *bytes, size_t count, void *sender, struct cdatagram_local *local, long long *time);

/// Sends a datagram.
/// - Parameters:
///   - receiver: A `sockaddr` of this length.
///   - local: The source address; if it is not known, the kernel chooses.
/// - Returns: 0, or an `errno`.
int cdatagram_send(
    int socket, int is_ipv6, const void *bytes, size_t count, const void *receiver, unsigned length,
    const struct cdatagram_local *local);

#endif
