import { afterEach, describe, expect, it } from 'vitest';
import { PortRange } from './port-range.ts';
import { bindRtpSockets, type RtpSockets } from './rtp-sockets.ts';

const open: RtpSockets[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((sockets) => sockets.close()));
});

const rangeOf = (firstPort: number, lastPort: number) => new PortRange({ address: '127.0.0.1', firstPort, lastPort });

async function take(range: PortRange): Promise<RtpSockets | null> {
  const sockets = await range.open();
  if (sockets) open.push(sockets);
  return sockets;
}

describe('a port range', () => {
  it('allocates an even port and the next, within its bounds, until none is left', async () => {
    const range = rangeOf(31_501, 31_508);
    expect(range.capacity).toBe(3);
    const taken = await Promise.all([take(range), take(range), take(range), take(range)]);
    expect(taken.map((sockets) => sockets?.rtpPort ?? null)).toEqual([31_502, 31_504, 31_506, null]);
  });

  it('allocates the least recently used pair', async () => {
    const range = rangeOf(31_510, 31_515);
    const [first, second] = [await take(range), await take(range)];
    await second?.close();
    await first?.close();
    expect((await take(range))?.rtpPort).toBe(31_514);
    expect((await take(range))?.rtpPort).toBe(31_510);
    expect((await take(range))?.rtpPort).toBe(31_512);
  });

  it('skips pairs of which another program has either port', async () => {
    const [one, other] = [await bindRtpSockets('127.0.0.1', 31_519), await bindRtpSockets('127.0.0.1', 31_523)];
    for (const sockets of [one, other]) if (sockets) open.push(sockets);
    const range = rangeOf(31_518, 31_527);
    expect((await take(range))?.rtpPort).toBe(31_526);
    expect(await take(range)).toBeNull();
    await one?.close();
    expect((await take(range))?.rtpPort).toBe(31_518);
  });

  it('is rejected when it holds no pair', () => {
    for (const [first, last] of [
      [4_001, 4_002],
      [4_002, 4_002],
      [0, 10],
      [4_000, 70_000],
      [4_000.5, 5_000],
    ] as const) {
      expect(() => rangeOf(first, last)).toThrow('a range of RTP ports');
    }
  });

  it('reports an address that is not of this machine', async () => {
    const range = new PortRange({ address: '192.0.2.1', firstPort: 31_530, lastPort: 31_533 });
    await expect(range.open()).rejects.toThrow('EADDRNOTAVAIL');
  });
});
