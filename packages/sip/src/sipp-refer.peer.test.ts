import { systemClock } from '@outdial/kernel';
import { startSipp, type Sipp, type SippOptions } from '@outdial/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { AUDIO, callRequest, eventOf, watch } from '../test/bench.ts';
import { openSocketTransport } from './transport/socket-transport.ts';
import { createUserAgent, type UserAgent } from './user-agent.ts';

const open: { agent?: UserAgent; sipp?: Sipp } = {};
afterEach(async () => {
  await open.agent?.close();
  await open.sipp?.stop();
  delete open.agent;
  delete open.sipp;
});

/** A call that SIPp has answered, and our REFER in it, until its outcome. */
async function referred(options: SippOptions) {
  const sipp = await startSipp(options);
  const transport = await openSocketTransport({ address: '127.0.0.1', port: 0, log: () => undefined });
  const agent = createUserAgent({ transport, clock: systemClock, product: 'Test/1.0' });
  Object.assign(open, { agent, sipp });
  const target = `sip:+12025550100@127.0.0.1:${sipp.port};transport=${options.transport}`;
  const audio = { ...AUDIO, address: '127.0.0.1' };
  const session = agent.call(callRequest({ target, audio, credentials: { username: 'alice', password: 'secret' } }));
  const log = watch(session);
  await eventOf(log, 'answered');
  session.refer({
    target: `sip:+12025550142@127.0.0.1:${sipp.port}`,
    referredBy: 'sip:+12025550199@example.test',
    timeoutMs: 10_000,
  });
  return { sipp, session, log, outcome: await eventOf(log, 'referral') };
}

describe.each(['udp', 'tcp'] as const)('a REFER against SIPp over %s', (transport) => {
  it.each([
    ['200 OK', { kind: 'transferred', sipCode: 200 }],
    ['486 Busy Here', { kind: 'failed', sipCode: 486 }],
    ['503 Service Unavailable', { kind: 'failed', sipCode: 503 }],
  ])('that is reported on with %s has that outcome, and we hang up', async (status, outcome) => {
    const result = await referred({ scenario: 'takes_refer', transport, keys: { outcome: status } });
    const target = `sip:+12025550142@127.0.0.1:${result.sipp.port}`;
    expect(result.outcome).toEqual({ kind: 'referral', outcome, target });
    result.session.hangUp();
    expect(await eventOf(result.log, 'ended')).toMatchObject({ end: { outcome: 'completed', by: 'local' } });
    expect(await result.sipp.finished()).toEqual({ code: 0, complaints: '' });
  });

  it('whose far end hangs up after its success ends by that BYE', async () => {
    const { sipp, log, outcome } = await referred({ scenario: 'takes_refer_and_leaves', transport });
    expect(outcome).toMatchObject({ kind: 'referral', outcome: { kind: 'transferred', sipCode: 200 } });
    expect(await eventOf(log, 'ended')).toMatchObject({ end: { outcome: 'completed', by: 'remote' } });
    expect(await sipp.finished()).toEqual({ code: 0, complaints: '' });
  });

  it('that is challenged is sent again with credentials, and needs no report where none is promised', async () => {
    const { sipp, session, outcome } = await referred({ scenario: 'challenges_refer', transport });
    expect(outcome).toMatchObject({ kind: 'referral', outcome: { kind: 'transferred', sipCode: null } });
    session.hangUp();
    expect(await sipp.finished()).toEqual({ code: 0, complaints: '' });
  });
});
