import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { answeredCall } from '../test/answered.ts';
import { AUDIO, createBench, OURS, SDP_PARTS } from '../test/bench.ts';

const STRANGER = '10.0.0.66';

const METHODS = ['INVITE', 'ACK', 'BYE', 'CANCEL', 'UPDATE', 'PRACK', 'INFO', 'OPTIONS', 'REFER', 'FROB'];

/** Messages that are well formed and make no sense, about an existing call and about others. */
function messageAbout(callId: string, ourTag: string) {
  return fc
    .record({
      line: fc.oneof(
        fc
          .constantFrom(...METHODS, 'INVITE', 'INVITE', 'INVITE')
          .map((method) => ({ method, first: `${method} sip:x@${OURS} SIP/2.0` })),
        fc
          .tuple(fc.constantFrom(...METHODS), fc.integer({ min: 100, max: 699 }))
          .map(([method, status]) => ({ method, first: `SIP/2.0 ${status} X` })),
      ),
      branch: fc.constantFrom('z9hG4bKone', 'z9hG4bKtwo', 'old', ''),
      fromTag: fc.constantFrom(';tag=a', ';tag=other', ''),
      toTag: fc.constantFrom(`;tag=${ourTag}`, ';tag=other', ''),
      callId: fc.constantFrom(callId, 'another'),
      cseq: fc.integer({ min: 0, max: 5 }),
      extra: fc.subarray([
        'Session-Expires: 90;refresher=uas',
        'Session-Expires: x',
        'Require: timer',
        'Supported: timer, 100rel',
        'RSeq: 1',
        'RAck: 1 1 INVITE',
        'Contact: <sip:y@10.0.0.66>',
        'Contact: *',
        'Record-Route: <sip:10.0.0.66;lr>, broken',
        'Content-Type: application/sdp',
        'Content-Type: text/plain',
        'Expires: 0',
        'Proxy-Authorization: Digest',
        'WWW-Authenticate: Digest realm="r", nonce="n"',
      ]),
      body: fc.constantFrom('', SDP_PARTS.body.toString(), 'v=0\r\nm=', 'Signal=5'),
    })
    .map(({ line, branch, fromTag, toTag, callId: id, cseq, extra, body }) => {
      const head = [
        line.first,
        `Via: SIP/2.0/UDP ${STRANGER};branch=${branch};rport`,
        `From: <sip:f@x>${fromTag}`,
        `To: <sip:t@x>${toTag}`,
        `Call-ID: ${id}`,
        `CSeq: ${cseq} ${line.method}`,
        ...extra,
      ];
      return `${head.join('\r\n')}\r\n\r\n${body}`;
    });
}

it('no sequence of messages crashes the user agent, and none leaks a session', async () => {
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(messageAbout('c', 'ours'), { maxLength: 12 }), async (messages) => {
      const { agent, clock, network, settle } = createBench();
      agent.onInvite((session) => {
        taken += 1;
        session.ring();
        session.answer(AUDIO);
      });
      const channel = await network.attach(STRANGER).open({ transport: 'UDP', address: OURS, port: 5060 });
      for (const message of messages) {
        channel.send(Buffer.from(message), () => undefined);
        await settle();
      }
      // Without an ACK, a refresh or a BYE: everything ends by its own timers.
      clock.turn(400_000);
      await settle();
      clock.turn(400_000);
      await settle();
      expect(agent.sessionCount).toBe(0);
      expect(clock.pendingTimers).toBe(0);
    }),
    { numRuns: 400 },
  );
  // The messages were valid enough to start calls.
  expect(taken).toBeGreaterThan(10);
});

it('a stranger who knows neither tag nor branch cannot affect a call', async () => {
  const { agent, network, settle, log, session, peer } = await answeredCall();
  const channel = await network.attach(STRANGER).open({ transport: 'UDP', address: OURS, port: 5060 });
  for (const message of fc.sample(messageAbout(session.callId, 'guessed'), 300)) {
    channel.send(Buffer.from(message), () => undefined);
  }
  await settle();
  expect(log.end()).toBeUndefined();
  expect(log.kinds()).not.toContain('media');
  session.hangUp();
  await settle();
  peer.respond(peer.last('BYE'), 200);
  await settle();
  expect(log.end()).toMatchObject({ outcome: 'completed', by: 'local' });
  expect(agent.sessionCount).toBe(0);
});
