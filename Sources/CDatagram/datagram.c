#define _GNU_SOURCE
#include "CDatagram.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>

union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(struct in6_pktinfo)) + CMSG_SPACE(sizeof(struct timespec))];
};

int cdatagram_tell_local(int socket, int is_ipv6) {
    int yes = 1;
    return is_ipv6 ? setsockopt(socket, IPPROTO_IPV6, IPV6_RECVPKTINFO, &yes, sizeof yes)
                   : setsockopt(socket, IPPROTO_IP, IP_PKTINFO, &yes, sizeof yes);
}

void cdatagram_tell_time(int socket) {
    int yes = 1;
    (void)setsockopt(socket, SOL_SOCKET, SO_TIMESTAMPNS, &yes, sizeof yes);
}

static void map(struct in_addr from, unsigned char to[16]) {
    memset(to, 0, 10);
    memset(to + 10, 0xFF, 2);
    memcpy(to + 12, &from, sizeof from);
}

static void read_parts(struct msghdr *message, struct cdatagram_local *local, long long *time) {
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part)) {
        if (part->cmsg_level == IPPROTO_IPV6 && part->cmsg_type == IPV6_PKTINFO) {
            struct in6_pktinfo info;
            memcpy(&info, CMSG_DATA(part), sizeof info);
            memcpy(local->address, &info.ipi6_addr, sizeof local->address);
            local->is_known = 1;
        } else if (part->cmsg_level == IPPROTO_IP && part->cmsg_type == IP_PKTINFO) {
            struct in_pktinfo info;
            memcpy(&info, CMSG_DATA(part), sizeof info);
            map(info.ipi_addr, local->address);
            local->is_known = 1;
        } else if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_TIMESTAMPNS) {
            struct timespec stamp;
            memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
            *time = (long long)stamp.tv_sec * 1000000000 + stamp.tv_nsec;
        }
    }
}

ssize_t cdatagram_receive(
    int socket, void *bytes, size_t count, void *sender, struct cdatagram_local *local, long long *time) {
    union control control;
    struct iovec part = {.iov_base = bytes, .iov_len = count};
    struct msghdr message = {
        .msg_name = sender, .msg_namelen = sizeof(struct sockaddr_storage), .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
        .msg_controllen = sizeof control};
    local->is_known = 0;
    *time = 0;
    ssize_t length = recvmsg(socket, &message, MSG_DONTWAIT);
    if (length >= 0) read_parts(&message, local, time);
    return length;
}

int cdatagram_send(
    int socket, int is_ipv6, const void *bytes, size_t count, const void *receiver, unsigned length,
    const struct cdatagram_local *local) {
    union control control;
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {
        .msg_name = (void *)receiver, .msg_namelen = length, .msg_iov = &part, .msg_iovlen = 1};
    if (local->is_known) {
        memset(&control, 0, sizeof control);
        message.msg_control = &control;
        if (is_ipv6) {
            struct in6_pktinfo info = {0};
            memcpy(&info.ipi6_addr, local->address, sizeof info.ipi6_addr);
            control.header = (struct cmsghdr){
                .cmsg_len = CMSG_LEN(sizeof info), .cmsg_level = IPPROTO_IPV6, .cmsg_type = IPV6_PKTINFO};
            memcpy(CMSG_DATA(&control.header), &info, sizeof info);
            message.msg_controllen = CMSG_SPACE(sizeof info);
        } else {
            struct in_pktinfo info = {0};
            memcpy(&info.ipi_spec_dst, local->address + 12, sizeof info.ipi_spec_dst);
            control.header = (struct cmsghdr){
                .cmsg_len = CMSG_LEN(sizeof info), .cmsg_level = IPPROTO_IP, .cmsg_type = IP_PKTINFO};
            memcpy(CMSG_DATA(&control.header), &info, sizeof info);
            message.msg_controllen = CMSG_SPACE(sizeof info);
        }
    }
    return sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? errno : 0;
}
