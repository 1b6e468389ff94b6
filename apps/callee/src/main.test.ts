import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { claimRtpPorts } from '@outdial/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { startCallee } from '../test/callee.ts';
import { openCaller, type Caller } from '../test/caller.ts';
import { startChildCallee, type ChildCallee } from '../test/child-callee.ts';
import { RawCaller } from '../test/raw-caller.ts';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

async function start(environment: Readonly<Record<string, string>> = {}) {
  const ports = await claimRtpPorts();
  open.push(() => ports.release());
  const rtp = { OUTDIAL_CALLEE_RTP_PORTS: `${ports.firstPort}-${ports.lastPort}` };
  const child: ChildCallee = startChildCallee({ ...rtp, ...environment });
  open.push(() => child.signal('SIGKILL'));
  const line = await child.said(/^answering calls$/);
  return { child, sipPort: Number(line?.sipPort) };
}

async function openCallerAt(sipPort: number): Promise<Caller> {
  const caller = await openCaller({ sipPort });
  open.push(() => caller.close());
  return caller;
}

describe('the program', () => {
  it('hangs up live calls on SIGTERM, waits for them, and exits cleanly', async () => {
    const { child, sipPort } = await start();
    const caller = await openCallerAt(sipPort);
    const [talking, ringing] = [await caller.call('+12025550108'), await caller.call('+12025550102')];
    await Promise.all([talking.answered(), ringing.until(() => ringing.rang.length > 0)]);
    child.signal('SIGTERM');
    expect(await talking.ended()).toMatchObject({ outcome: 'completed', by: 'remote', q850Cause: 16 });
    expect(await ringing.ended()).toMatchObject({ outcome: 'refused', sipCode: 480 });
    expect(await child.exited()).toEqual({ code: 0, complaint: '' });
  });

  it('logs which number dialed which, with the numbers masked', async () => {
    const { child, sipPort } = await start();
    await (await (await openCallerAt(sipPort)).call('+12025550101')).ended();
    await child.said(/^\+120•••01 \(busy\) called by \+120•••99$/);
    await child.said(/^\+120•••01 \(busy\) ended: refused by the callee/);
    expect(JSON.stringify(child.lines)).not.toMatch(/12025550101|12025550199/);
  });

  it('keeps answering calls whatever else arrives at its port', async () => {
    const { child, sipPort } = await start({ LOG_LEVEL: 'debug' });
    const raw = await RawCaller.open(sipPort);
    open.push(() => raw.close());
    for (let size = 0; size < 1_400; size += 50) raw.send(randomBytes(size));
    raw.send('INVITE sip:+12025550101@127.0.0.1 SIP/2.0\r\n\r\n');
    raw.send(`INVITE ${'x'.repeat(20_000)} SIP/2.0\r\n`);
    const stream = connect(sipPort, '127.0.0.1');
    open.push(() => stream.destroy());
    // The far end cuts it off in the middle of a write.
    const cut = once(stream, 'close').catch((error: unknown) => error);
    stream.write(randomBytes(200_000));
    await child.said(/^discarded a message that is not SIP$/);
    const call = await (await openCallerAt(sipPort)).call('+12025550101');
    expect(await call.ended()).toMatchObject({ sipCode: 486 });
    await cut;
    child.signal('SIGINT');
    expect(await child.exited()).toEqual({ code: 0, complaint: '' });
  });

  it.each([
    [
      'a port that is taken',
      async () => {
        const other = await startCallee();
        open.push(() => other.stop());
        return { OUTDIAL_CALLEE_SIP_PORT: String(other.sipPort) };
      },
      /^cannot listen on 127\.0\.0\.1:\d+ \(EADDRINUSE\): choose others with OUTDIAL_CALLEE_ADDRESS/,
    ],
    ['an address of another machine', async () => ({ OUTDIAL_CALLEE_ADDRESS: '192.0.2.1' }), /\(EADDRNOTAVAIL\)/],
    ['an invalid setting', async () => ({ OUTDIAL_CALLEE_HOLD: 'loud' }), /^OUTDIAL_CALLEE_HOLD=loud cannot be used: /],
  ])('stops with one sentence at %s', async (_, environment, complaint) => {
    const child = startChildCallee(await environment());
    const exit = await child.exited();
    expect(exit.code).toBe(1);
    expect(exit.complaint).toMatch(complaint);
    expect(exit.complaint).not.toMatch(/^ +at /m);
  });
});
