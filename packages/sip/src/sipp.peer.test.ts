import { systemClock } from '@outdial/kernel';
import { startSipp, type Sipp, type SippOptions } from '@outdial/testkit';
import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { AUDIO, callRequest, eventOf, watch } from '../test/bench.ts';
import type { Clock } from './clock.ts';
import type { CallRequest } from './session/call-request.ts';
import type { Session } from './session/session.ts';
import type { SipLog } from './transport/sip-log.ts';
import { openSocketTransport } from './transport/socket-transport.ts';
import { createUserAgent, type UserAgent } from './user-agent.ts';

const open: { agent?: UserAgent; sipp?: Sipp } = {};

afterEach(async () => {
  await open.agent?.close();
  await open.sipp?.stop();
  delete open.agent;
  delete open.sipp;
});

/** SIPp as the callee, our user agent on real sockets, and one call between them. */
async function callSipp(
  options: SippOptions,
  { request = {}, clock = systemClock }: { request?: Partial<CallRequest>; clock?: Clock } = {},
) {
  const sipp = await startSipp(options);
  const messages = new EventEmitter<{ received: [text: string] }>();
  const log: SipLog = ({ kind, text }) => kind === 'received' && messages.emit('received', text);
  const transport = await openSocketTransport({ address: '127.0.0.1', port: 0, log });
  const agent = createUserAgent({ transport, clock, product: 'Test/1.0' });
  Object.assign(open, { agent, sipp });
  const place = () => {
    const target = `sip:+12025550100@127.0.0.1:${sipp.port};transport=${options.transport}`;
    const session: Session = agent.call(callRequest({ target, audio: { ...AUDIO, address: '127.0.0.1' }, ...request }));
    return { session, log: watch(session) };
  };
  /** Resolves with the next message that matches. */
  const heard = (pattern: RegExp) =>
    new Promise<void>((resolve) => {
      messages.on('received', (text) => {
        if (pattern.test(text)) resolve();
      });
    });
  return { sipp, place, heard };
}

async function expectContent(sipp: Sipp) {
  expect(await sipp.finished()).toEqual({ code: 0, complaints: '' });
}

describe.each(['udp', 'tcp'] as const)('against SIPp over %s', (transport) => {
  it('a call is answered and hung up by us', async () => {
    const { sipp, place } = await callSipp({ scenario: 'answers', transport });
    const { session, log } = place();
    expect(await eventOf(log, 'answered')).toMatchObject({
      audio: { codec: 'PCMU', direction: 'sendrecv', remoteAddress: '127.0.0.1' },
    });
    session.hangUp();
    expect(await eventOf(log, 'ended')).toMatchObject({ end: { outcome: 'completed', by: 'local', sipCode: 200 } });
    await expectContent(sipp);
  });

  it('A-law and another DTMF payload type are used as offered', async () => {
    const keys = { format: '8', encoding: 'PCMA', dtmf: '96' };
    const { sipp, place } = await callSipp({ scenario: 'answers', transport, keys });
    const { session, log } = place();
    expect(await eventOf(log, 'answered')).toMatchObject({
      audio: { codec: 'PCMA', payloadType: 8, dtmfPayloadType: 96 },
    });
    session.hangUp();
    await expectContent(sipp);
  });

  it.each([
    ['404 Not Found', 'Server: callee', { outcome: 'refused', sipCode: 404 }],
    ['486 Busy Here', 'Server: callee', { outcome: 'refused', sipCode: 486 }],
    ['603 Decline', 'Reason: Q.850;cause=21;text="Call Rejected"', { outcome: 'refused', sipCode: 603, q850Cause: 21 }],
    ['503 Service Unavailable', 'Retry-After: 30', { outcome: 'refused', sipCode: 503, retryAfterSeconds: 30 }],
    ['302 Moved Temporarily', 'Contact: <sip:voicemail@127.0.0.1:5999>', { outcome: 'redirected', sipCode: 302 }],
  ])('%s ends the call with its code', async (status, field, end) => {
    const { sipp, place } = await callSipp({ scenario: 'refuses', transport, status, keys: { note: field } });
    expect(await eventOf(place().log, 'ended')).toMatchObject({ end: { by: 'remote', ...end } });
    await expectContent(sipp);
  });

  it('a rejection without a 100 before it is accepted', async () => {
    const status = '488 Not Acceptable Here';
    const keys = { note: 'Warning: 304 trunk "Media type not available"' };
    const { sipp, place } = await callSipp({ scenario: 'refuses_at_once', transport, status, keys });
    expect(await eventOf(place().log, 'ended')).toMatchObject({ end: { outcome: 'refused', sipCode: 488 } });
    await expectContent(sipp);
  });

  it('early media is reported and is not an answer', async () => {
    const { sipp, place } = await callSipp({ scenario: 'early_media', transport });
    const { session, log } = place();
    expect(await eventOf(log, 'provisional')).toMatchObject({ sipCode: 183, audio: { codec: 'PCMU' } });
    expect(log.kinds()).not.toContain('answered');
    await eventOf(log, 'answered');
    session.hangUp();
    await expectContent(sipp);
  });

  it('an unanswered call is canceled', async () => {
    const { sipp, place } = await callSipp({ scenario: 'rings', transport }, { request: { ringTimeoutMs: 400 } });
    expect(await eventOf(place().log, 'ended')).toMatchObject({
      end: { outcome: 'no_answer', by: 'local', sipCode: 487 },
    });
    await expectContent(sipp);
  });

  it('a challenge is answered with the password', async () => {
    const credentials = { username: 'alice', password: 'secret' };
    const { sipp, place } = await callSipp({ scenario: 'challenges', transport }, { request: { credentials } });
    const { session, log } = place();
    await eventOf(log, 'answered');
    session.hangUp();
    await expectContent(sipp);
  });

  it('many calls at once are each answered and hung up', async () => {
    const calls = 60;
    const { sipp, place } = await callSipp({ scenario: 'answers', transport, calls });
    const all = Array.from({ length: calls }, place);
    for (const { session, log } of all) void eventOf(log, 'answered').then(() => session.hangUp());
    const ends = await Promise.all(all.map(({ log }) => eventOf(log, 'ended')));
    for (const end of ends) expect(end).toMatchObject({ end: { outcome: 'completed', by: 'local', detail: 'BYE' } });
    await expectContent(sipp);
  });

  it('a callee that hangs up ends the call with its cause', async () => {
    const { sipp, place } = await callSipp({ scenario: 'hangs_up', transport });
    expect(await eventOf(place().log, 'ended')).toMatchObject({
      end: { outcome: 'completed', by: 'remote', q850Cause: 16 },
    });
    await expectContent(sipp);
  });

  it('hold, resume, UPDATE and OPTIONS within the call are answered', async () => {
    const { sipp, place } = await callSipp({ scenario: 'offers_again', transport });
    const { log } = place();
    await eventOf(log, 'ended');
    const media = log.events.flatMap((event) => (event.kind === 'media' ? [event.audio] : []));
    expect(media.map(({ held, direction }) => [held, direction])).toEqual([
      [true, 'recvonly'],
      [false, 'sendrecv'],
    ]);
    await expectContent(sipp);
  });

  it('a session is refreshed when that is our part', async () => {
    // Twenty times real speed: the refresh is due after 2.25 s.
    const clock: Clock = {
      monotonicMs: () => systemClock.monotonicMs() * 20,
      after: (ms, run) => systemClock.after(ms / 20, run),
    };
    const { sipp, place, heard } = await callSipp({ scenario: 'wants_refreshes', transport }, { clock });
    const { session, log } = place();
    await eventOf(log, 'answered');
    await heard(/^SIP\/2\.0 200 .*CSeq: \d+ UPDATE/s);
    session.hangUp();
    await expectContent(sipp);
  });
});
