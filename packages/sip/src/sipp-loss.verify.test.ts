import { systemClock } from '@outdial/kernel';
import { startSipp } from '@outdial/testkit';
import { expect, it } from 'vitest';
import { AUDIO, callRequest, eventOf, watch } from '../test/bench.ts';
import { loseSome } from '../test/lossy-transport.ts';
import { openSocketTransport } from './transport/socket-transport.ts';
import { createUserAgent } from './user-agent.ts';

/** Long enough for a few retransmissions of a 200 whose ACK was lost. */
const TALK_MS = 4_000;

it('with 15 % of all datagrams lost every call is set up and torn down', { timeout: 90_000 }, async () => {
  const calls = 25;
  const sipp = await startSipp({ scenario: 'answers_under_loss', transport: 'udp', calls, underLoss: true });
  const transport = loseSome(await openSocketTransport({ address: '127.0.0.1', port: 0 }), 0.15);
  const agent = createUserAgent({ transport, clock: systemClock, product: 'Test/1.0' });
  const ends = Array.from({ length: calls }, async () => {
    const session = agent.call(
      callRequest({ target: `sip:1@127.0.0.1:${sipp.port}`, audio: { ...AUDIO, address: '127.0.0.1' } }),
    );
    const log = watch(session);
    await eventOf(log, 'answered');
    systemClock.after(TALK_MS, () => session.hangUp());
    await eventOf(log, 'ended');
    return log.end();
  });
  const completed = { outcome: 'completed', by: 'local', sipCode: 200, detail: 'BYE' };
  expect(await Promise.all(ends)).toEqual(ends.map(() => expect.objectContaining(completed)));
  expect(agent.sessionCount).toBe(0);
  expect(transport.lost).toBeGreaterThan(0);
  await agent.close();
  await sipp.stop();
});
