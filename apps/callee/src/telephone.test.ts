import { afterEach, describe, expect, it } from 'vitest';
import { startCallee, type TestNetworkOptions } from '../test/callee.ts';
import { openCaller } from '../test/caller.ts';
import { RawCaller } from '../test/raw-caller.ts';
import { tone } from '../test/sound.ts';

const RTP_HEADER_BYTES = 12;

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

async function setUp(environment: Readonly<Record<string, string>> = {}, options: TestNetworkOptions = {}) {
  const network = await startCallee(environment, options);
  open.push(() => network.stop());
  const caller = await openCaller({ sipPort: network.sipPort });
  open.push(() => caller.close());
  const raw = await RawCaller.open(network.sipPort);
  open.push(() => raw.close());
  return { caller, raw };
}

/** G.711 µ-law has one code for digital silence. */
const isSilence = (packet: Buffer): boolean => packet.subarray(RTP_HEADER_BYTES).every((code) => code === 0xff);

describe('a telephone', () => {
  it('rejects with 503 when every port is taken, and works again once one is free', async () => {
    const { caller } = await setUp({}, { rtpPairs: 1 });
    const first = await caller.call('+12025550102');
    await first.until(() => first.rang.length > 0);
    const second = await caller.call('+12025550102');
    expect(await second.ended()).toMatchObject({ sipCode: 503, q850Cause: 34, retryAfterSeconds: 5 });
    first.hangUp();
    await first.ended();
    const third = await caller.call('+12025550102');
    await third.until(() => third.rang.length > 0);
  });

  it('holds the call with `inactive` when so configured', async () => {
    const { caller } = await setUp({ OUTDIAL_CALLEE_HOLD: 'inactive' });
    const call = await caller.call('+12025550114');
    await call.turn(1);
    const said = call.say(tone(1_500));
    const directions = () => call.events.flatMap((event) => (event.kind === 'media' ? [event.audio.direction] : []));
    await call.until(() => directions().length === 2);
    expect(directions()).toEqual(['inactive', 'sendrecv']);
    await said;
  });

  it('accepts digits by INFO', async () => {
    const { raw } = await setUp();
    raw.invite('info', '+12025550111');
    const answer = await raw.heard('SIP/2.0 200');
    raw.inDialog('ACK', answer, { cseq: 1 });
    while (isSilence(await raw.voice()));
    raw.inDialog('INFO', answer, { cseq: 2, type: 'application/dtmf-relay', body: 'Signal=1\r\nDuration=160\r\n' });
    await raw.heard('SIP/2.0 200', 'INFO');
    // The menu interrupts its prompt and pauses for 300 ms; left alone, it would speak for more than 7 s.
    let [packets, silent] = [0, 0];
    for (; silent < 12; packets += 1) silent = isSilence(await raw.voice()) ? silent + 1 : 0;
    expect(packets).toBeLessThan(100);
    raw.inDialog('BYE', answer, { cseq: 3 });
    await raw.heard('SIP/2.0 200', 'BYE');
  });

  it('hangs up a caller that stops sending RTP', async () => {
    const { raw } = await setUp({ OUTDIAL_CALLEE_NO_AUDIO_SECONDS: '1' });
    raw.invite('gone', '+12025550108');
    raw.inDialog('ACK', await raw.heard('SIP/2.0 200'), { cseq: 1 });
    expect(await raw.heard('BYE ', 'BYE')).toMatch(/^Reason: Q\.850;cause=16/m);
  });

  it('rejects an unsupported codec with 488', async () => {
    const { raw } = await setUp();
    raw.invite('opus', '+12025550108', { format: '111' });
    expect(await raw.heard('SIP/2.0 4')).toMatch(/^SIP\/2\.0 488/);
  });

  it('makes the offer itself when the INVITE has none, and uses the answer in the ACK', async () => {
    const { raw } = await setUp();
    raw.invite('late', '+12025550100', { format: null });
    const answer = await raw.heard('SIP/2.0 200');
    expect(answer).toMatch(/^m=audio \d+ RTP\/AVP 0 8 101\r$/m);
    const frames = raw.voice();
    raw.inDialog('ACK', answer, { cseq: 1, type: 'application/sdp', body: raw.description('0') });
    // 20 ms.
    expect((await frames).length).toBe(RTP_HEADER_BYTES + 160);
    raw.inDialog('BYE', answer, { cseq: 2 });
    await raw.heard('SIP/2.0 200', 'BYE');
  });
});
