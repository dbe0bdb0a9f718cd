// libre-parser FILE...: measures how fast libre reads SIP messages. Prints one line a file: its name, nanoseconds and
// allocations a message. Each message is decoded and its Contact parsed; libre itself decodes Via, From, To and CSeq.
// Link with Tests/AllocationWatch/AllocationWatch.c, and with libre.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include <re.h>

#include "AllocationWatch.h"

enum { LIMIT = 65536 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

// False for a message that libre rejects.
static bool read_message(struct mbuf *bytes) {
    struct sip_msg *message = NULL;
    struct sip_addr contact;
    bytes->pos = 0;
    bool good = sip_msg_decode(&message, bytes) == 0;
    if (good) {
        const struct sip_hdr *header = sip_msg_hdr(message, SIP_HDR_CONTACT);
        good = !header || sip_addr_decode(&contact, &header->val) == 0;
    }
    mem_deref(message);
    return good;
}

static struct mbuf *load(const char *path) {
    FILE *file = fopen(path, "rb");
    struct mbuf *bytes = mbuf_alloc(LIMIT);
    if (!file || !bytes) exit(1);
    bytes->end = fread(bytes->buf, 1, LIMIT, file);
    fclose(file);
    return bytes;
}

int main(int count, char **files) {
    prctl(PR_SET_NAME, "bench");
    for (int index = 1; index < count; index++) {
        struct mbuf *bytes = load(files[index]);
        if (!read_message(bytes)) {
            fprintf(stderr, "libre refuses %s\n", files[index]);
            return 1;
        }
        allocation_watch_begin("bench");
        read_message(bytes);
        long allocations = allocation_watch_made();
        allocation_watch_begin(NULL);

        const double start = now(), duration = 200e6;
        long rounds = 0;
        while (now() - start < duration) {
            for (int round = 0; round < 256; round++) read_message(bytes);
            rounds += 256;
        }
        printf("%s %.1f %ld\n", files[index], (now() - start) / (double)rounds, allocations);
        mem_deref(bytes);
    }
    return 0;
}
