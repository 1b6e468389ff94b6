import { afterEach, expect, test } from 'vitest';
import { claimRtpPorts, type ClaimedRtpPorts } from './claim-rtp-ports.ts';

const claims: ClaimedRtpPorts[] = [];
afterEach(async () => {
  await Promise.all(claims.splice(0).map((claim) => claim.release()));
});

test('no two claims share a port, and a released one can be claimed again', async () => {
  for (let nth = 0; nth < 5; nth += 1) claims.push(await claimRtpPorts());
  for (const { firstPort, lastPort } of claims) {
    expect(firstPort % 2).toBe(0);
    expect(lastPort - firstPort).toBe(97);
    const others = claims.filter((other) => other.firstPort !== firstPort);
    expect(others).toHaveLength(claims.length - 1);
    for (const other of others) expect(other.firstPort > lastPort || other.lastPort < firstPort).toBe(true);
  }
});
