import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** Above what `freePort` gives, below what the system gives to outgoing connections, and clear of all fixed ranges. */
const FIRST_PORT = 26_900;
const BLOCK_PORTS = 100;
const BLOCKS = 40;

export interface ClaimedRtpPorts {
  /** Even. */
  readonly firstPort: number;
  readonly lastPort: number;
  /** Frees the ports for other tests. Call it once all that sends to them is closed. */
  release(): Promise<void>;
}

/**
 * Claims 98 RTP ports that no other test of this machine uses until `release`.
 *
 * An RTP session takes the first packet of its peer's host as its peer (symmetric RTP), and in tests every host is
 * 127.0.0.1. Two tests with one range take turns at its ports: the caller of the one may still send to a port that is
 * already the other's, whose sound then goes to that caller.
 *
 * @throws Error when tests of this machine have claimed all of them.
 */
export async function claimRtpPorts(): Promise<ClaimedRtpPorts> {
  // From anywhere: a block that was released a moment ago is seldom the next one.
  const start = randomInt(BLOCKS);
  for (let tried = 0; tried < BLOCKS; tried += 1) {
    const firstPort = FIRST_PORT + ((start + tried) % BLOCKS) * BLOCK_PORTS;
    // The system frees the claim when the process ends, however it ends.
    const claim = await bind(firstPort + BLOCK_PORTS - 1);
    if (!claim) continue;
    return {
      firstPort,
      lastPort: firstPort + BLOCK_PORTS - 3,
      release: async () => {
        claim.close();
        await once(claim, 'close');
      },
    };
  }
  throw new Error(`all ${BLOCKS} blocks of RTP ports from ${FIRST_PORT} on are claimed: run fewer tests at a time`);
}

/** Null if the port is taken. */
async function bind(port: number): Promise<Socket | null> {
  const socket = createSocket('udp4');
  socket.bind({ port, address: '127.0.0.1', exclusive: true });
  try {
    await once(socket, 'listening');
    // A test that fails to release must not keep its process alive.
    return socket.unref();
  } catch {
    socket.close();
    return null;
  }
}
