// Sends each RTP packet back where it came from, and measures how late it was. One socket serves every call, so that a far
// end costs the machine little. Linux only: recvmmsg and sendmmsg carry many packets in one system call.
//
// Usage: echo, which prints its port. Each line on standard input ends an interval: the process prints its figures as one
// line of JSON and begins the next. It exits with its standard input.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 64, MOST_BYTES = 2048, HEADER_BYTES = 12, BUCKETS = 10000, FIRST_PORT = 30000, LAST_PORT = 31998 };

// A sample of G.711 at 8 kHz takes 125 µs (RFC 3551 section 4.5.14).
static const int64_t SAMPLE_NS = 125000;
static const int64_t BUCKET_NS = 100000;

struct flow {
  int started;
  uint32_t timestamp;
  int64_t samples;
  // Arrival minus media time of a packet that came at once: the least of the interval before, and of this one. A call that
  // lost time once is late in that interval alone.
  int64_t base_ns;
  int64_t least_ns;
  uint16_t last_number;
  int64_t missed;
};

// By the port of the caller, which differs for each call.
static struct flow flows[65536];
static int64_t histogram[BUCKETS];
static int64_t packets, most_ns;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static int open_socket(int port) {
  int opened = socket(AF_INET, SOCK_DGRAM, 0), on = 1, bytes = 4 << 20;
  if (opened < 0) fail("socket");
  setsockopt(opened, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
  // The time of arrival comes from the kernel: waiting for a core must not make a packet late.
  if (setsockopt(opened, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) < 0) fail("SO_TIMESTAMPNS");
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  if (bind(opened, (struct sockaddr *)&address, sizeof address) == 0) return opened;
  if (errno != EADDRINUSE) fail("bind");
  close(opened);
  return -1;
}

static int64_t arrival_ns(struct msghdr *message) {
  for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_TIMESTAMPNS) continue;
    struct timespec at;
    memcpy(&at, CMSG_DATA(part), sizeof at);
    return at.tv_sec * INT64_C(1000000000) + at.tv_nsec;
  }
  fprintf(stderr, "a packet has no time of arrival\n");
  exit(1);
}

static void count_packet(struct flow *flow, const uint8_t *packet, int64_t at_ns) {
  uint16_t number = packet[2] << 8 | packet[3];
  uint32_t timestamp = (uint32_t)packet[4] << 24 | packet[5] << 16 | packet[6] << 8 | packet[7];
  if (!flow->started) *flow = (struct flow){.started = 1, .timestamp = timestamp, .last_number = number - 1, .base_ns = at_ns, .least_ns = INT64_MAX};
  flow->samples += (int32_t)(timestamp - flow->timestamp);
  flow->timestamp = timestamp;
  flow->missed += (int16_t)(number - flow->last_number) - 1;
  flow->last_number = number;
  int64_t offset_ns = at_ns - flow->samples * SAMPLE_NS;
  if (offset_ns < flow->least_ns) flow->least_ns = offset_ns;
  if (offset_ns < flow->base_ns) flow->base_ns = offset_ns;
  int64_t late_ns = offset_ns - flow->base_ns, bucket = late_ns / BUCKET_NS;
  if (late_ns > most_ns) most_ns = late_ns;
  histogram[bucket < BUCKETS ? bucket : BUCKETS - 1] += 1;
  packets += 1;
}

static void echo_batch(int rtp) {
  static uint8_t bytes[BATCH][MOST_BYTES], controls[BATCH][CMSG_SPACE(sizeof(struct timespec))];
  static struct sockaddr_in callers[BATCH];
  static struct iovec parts[BATCH];
  static struct mmsghdr messages[BATCH];
  for (int i = 0; i < BATCH; i++) {
    parts[i] = (struct iovec){bytes[i], MOST_BYTES};
    messages[i].msg_hdr = (struct msghdr){&callers[i], sizeof callers[i], &parts[i], 1, controls[i], sizeof controls[i], 0};
  }
  int received = recvmmsg(rtp, messages, BATCH, MSG_DONTWAIT, NULL), kept = 0;
  for (int i = 0; i < received; i++) {
    if (messages[i].msg_len < HEADER_BYTES) continue;
    count_packet(&flows[ntohs(callers[i].sin_port)], bytes[i], arrival_ns(&messages[i].msg_hdr));
    // Another source than the caller (RFC 3550 section 8.2): it would take its own for a loop.
    bytes[i][11] ^= 1;
    parts[i].iov_len = messages[i].msg_len;
    messages[i].msg_hdr.msg_control = NULL;
    messages[i].msg_hdr.msg_controllen = 0;
    messages[kept++] = messages[i];
  }
  for (int sent = 0, done; sent < kept; sent += done > 0 ? done : 1) done = sendmmsg(rtp, messages + sent, kept - sent, 0);
}

static double percentile_ms(double share) {
  int64_t seen = 0;
  for (int bucket = 0; bucket < BUCKETS; bucket++) {
    seen += histogram[bucket];
    if (seen > 0 && seen >= share * packets) return (bucket + 1) * BUCKET_NS / 1e6;
  }
  return 0;
}

static void end_interval(void) {
  int64_t missed = 0, callers = 0;
  for (int port = 0; port < 65536; port++) {
    if (!flows[port].started) continue;
    callers += 1;
    missed += flows[port].missed;
    flows[port].missed = 0;
    if (flows[port].least_ns < INT64_MAX) flows[port].base_ns = flows[port].least_ns;
    flows[port].least_ns = INT64_MAX;
  }
  printf("{\"calls\":%ld,\"packets\":%ld,\"lost\":%ld,\"latenessP50Ms\":%.1f,\"latenessP99Ms\":%.1f,\"latenessMostMs\":%.1f}\n",
         (long)callers, (long)packets, (long)missed, percentile_ms(0.5), percentile_ms(0.99), most_ns / 1e6);
  fflush(stdout);
  memset(histogram, 0, sizeof histogram);
  packets = most_ns = 0;
}

int main(void) {
  int rtp = -1, rtcp = -1, port = FIRST_PORT;
  for (; port <= LAST_PORT; port += 2) {
    if ((rtp = open_socket(port)) < 0) continue;
    if ((rtcp = open_socket(port + 1)) >= 0) break;
    close(rtp);
  }
  if (port > LAST_PORT) {
    fprintf(stderr, "no free port from %d to %d\n", FIRST_PORT, LAST_PORT);
    return 1;
  }
  printf("%d\n", port);
  fflush(stdout);
  struct pollfd events[] = {{rtp, POLLIN, 0}, {rtcp, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
  for (;;) {
    if (poll(events, 3, -1) < 0 && errno != EINTR) fail("poll");
    char line[MOST_BYTES];
    if (events[0].revents) echo_batch(rtp);
    // RTCP is read, so that its sender gets no error, and is not answered.
    if (events[1].revents) recv(rtcp, line, sizeof line, MSG_DONTWAIT);
    if (!events[2].revents) continue;
    if (read(STDIN_FILENO, line, sizeof line) <= 0) return 0;
    end_interval();
  }
}
