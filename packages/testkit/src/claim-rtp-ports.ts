import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** Above `freePort`'s range, below the system's range for outgoing connections, and clear of all fixed ranges. */
const FIRST_PORT = 26_900;
const BLOCK_PORTS = 100;
const BLOCKS = 40;

export interface ClaimedRtpPorts {
  /** Even. */
  readonly firstPort: number;
  readonly lastPort: number;
  /** Both, as settings have them: `26900-26997`. */
  readonly range: string;
  /** Releases the ports to other tests. Call it once everything that sends to them is closed. */
  release(): Promise<void>;
}

/**
 * Claims 98 RTP ports that no other test on this machine uses until `release`.
 *
 * An RTP session accepts the first packet from its peer's host (symmetric RTP), and in tests every host is 127.0.0.1.
 * If two tests shared a range, one test's sender could reach a port that the other test has taken over in the
 * meantime, and then receive that test's sound.
 *
 * @throws Error when tests on this machine have claimed all of them.
 */
export async function claimRtpPorts(): Promise<ClaimedRtpPorts> {
  // A random start: a block that was released a moment ago is then rarely the next one.
  const start = randomInt(BLOCKS);
  for (let tried = 0; tried < BLOCKS; tried += 1) {
    const firstPort = FIRST_PORT + ((start + tried) % BLOCKS) * BLOCK_PORTS;
    // The system frees the claim when the process ends, however it ends.
    const claim = await bind(firstPort + BLOCK_PORTS - 1);
    if (!claim) continue;
    const lastPort = firstPort + BLOCK_PORTS - 3;
    return {
      firstPort,
      lastPort,
      range: `${firstPort}-${lastPort}`,
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
