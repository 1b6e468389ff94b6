import { describe, expect, it } from 'vitest';
import { AUDIO, createBench, OURS, sdpOf, THEIRS, watch, type SessionLog } from '../../test/bench.ts';
import type { UserAgentOptions } from '../user-agent.ts';
import type { IncomingSession } from './incoming-session.ts';

type Fields = readonly (readonly [string, string])[];

/** A scripted caller, and the session that its INVITE starts. */
async function invited({
  fields = [],
  body = sdpOf(),
  options = {},
}: { fields?: Fields; body?: string; options?: Partial<UserAgentOptions> } = {}) {
  const bench = createBench(options);
  const sessions: { session: IncomingSession; log: SessionLog }[] = [];
  bench.agent.onInvite((session) => sessions.push({ session, log: watch(session) }));
  const common = [
    ['from', `<sip:+12025550199@${THEIRS}>;tag=f`],
    ['call-id', 'c1'],
    ['contact', `<sip:caller@${THEIRS}>`],
  ] as const;
  const send = async (method: string, cseq: number, branch: string, more: Fields, content?: string) => {
    const request = {
      method,
      uri: `sip:+12025550100@${OURS}`,
      branch,
      ...(content === undefined ? {} : { body: content }),
    };
    await bench.peer.send(OURS, request, [...common, ['cseq', `${cseq} ${method}`], ...more]);
    await bench.settle();
  };
  const to = ['to', `<sip:+12025550100@${OURS}>`] as const;
  const invite = (branch = 'i') =>
    send('INVITE', 1, branch, [to, ['content-type', 'application/sdp'], ...fields], body === '' ? undefined : body);
  await invite();
  const statuses = () => bench.peer.responses.map(({ status }) => status);
  const within = (method: string, cseq: number, more: Fields = [], content?: string) => {
    const tagged = bench.peer.responses.find(({ status }) => status > 100)?.headers.get('to') ?? '';
    return send(method, cseq, `${method}${cseq}`, [['to', tagged], ...more], content);
  };
  return {
    ...bench,
    invite,
    send,
    within,
    to,
    statuses,
    sessions,
    first: () => sessions[0] ?? expect.fail('no session came'),
  };
}

describe('an incoming call', () => {
  it('rings, is answered, and is hung up by the caller', async () => {
    const call = await invited();
    const { session, log } = call.first();
    expect([session.calledNumber, session.callerNumber]).toEqual(['+12025550100', '+12025550199']);
    session.ring();
    await call.settle();
    expect(session.answer(AUDIO)).toMatchObject({ codec: 'PCMU', remoteAddress: THEIRS, remotePort: 30_000 });
    await call.settle();
    expect(call.statuses()).toEqual([180, 200]);
    expect(call.peer.responses.at(-1)?.headers.get('contact')).toBe(`<sip:+12025550100@${OURS}:5060>`);
    await call.within('ACK', 1);
    await call.within('BYE', 2, [['reason', 'Q.850;cause=16']]);
    expect(call.statuses()).toEqual([180, 200, 200]);
    expect(log.end()).toMatchObject({ outcome: 'completed', by: 'remote', q850Cause: 16 });
    expect(call.agent.sessionCount).toBe(0);
  });

  it('its 200 is retransmitted until the ACK, and without an ACK the call ends', async () => {
    const call = await invited();
    const { session, log } = call.first();
    session.answer(AUDIO);
    call.clock.turn(1_600);
    await call.settle();
    expect(call.statuses()).toEqual([200, 200, 200]);
    call.clock.turn(32_000);
    await call.settle();
    expect(call.peer.methods()).toEqual(['BYE']);
    expect(log.end()).toMatchObject({ outcome: 'lost', by: 'network' });
  });

  it('is hung up by us only after the ACK (RFC 3261 section 15)', async () => {
    const call = await invited();
    call.first().session.answer(AUDIO);
    call.first().session.hangUp();
    await call.settle();
    expect(call.peer.methods()).toEqual([]);
    await call.within('ACK', 1);
    expect(call.peer.methods()).toEqual(['BYE']);
  });

  it('after the ACK nothing is retransmitted, and we hang up with BYE', async () => {
    const call = await invited();
    call.first().session.answer(AUDIO);
    await call.settle();
    await call.within('ACK', 1);
    call.clock.turn(60_000);
    call.first().session.hangUp();
    await call.settle();
    expect(call.statuses()).toEqual([200]);
    call.peer.respond(call.peer.last('BYE'), 200);
    await call.settle();
    expect(call.first().log.end()).toMatchObject({ outcome: 'completed', by: 'local' });
  });

  it('is canceled: 200 to the CANCEL, 487 to the INVITE, and an answer is too late', async () => {
    const call = await invited();
    call.first().session.ring();
    await call.settle();
    await call.send('CANCEL', 1, 'i', [call.to]);
    expect(call.peer.responses.slice(1).map(({ status, cseq }) => `${status} ${cseq.method}`)).toEqual([
      '200 CANCEL',
      '487 INVITE',
    ]);
    expect(call.first().session.answer(AUDIO)).toBeUndefined();
    expect(call.first().log.end()).toMatchObject({ outcome: 'cancelled', by: 'remote', sipCode: 487 });
  });

  it('has ended before a BYE or a CANCEL is answered: the caller relies on that', async () => {
    const [answered, ringing] = [await invited(), await invited()];
    answered.first().session.answer(AUDIO);
    ringing.first().session.ring();
    await answered.settle();
    await ringing.settle();
    await answered.within('ACK', 1);
    const finalAtEnd: number[] = [];
    for (const [call, final] of [
      [answered, ' 200 '],
      [ringing, ' 487 '],
    ] as const) {
      const count = () => call.network.lines(OURS).filter((line) => line.includes(final)).length;
      const before = count();
      call.first().session.listen(({ kind }) => {
        if (kind === 'ended') finalAtEnd.push(count() - before);
      });
    }
    await answered.within('BYE', 2);
    await ringing.send('CANCEL', 1, 'i', [ringing.to]);
    expect(finalAtEnd).toEqual([0, 0]);
    expect(answered.network.lines(OURS).at(-1)).toBe('SIP/2.0 200 OK');
    expect(ringing.statuses()).toContain(487);
  });

  it('is rejected with a cause and Retry-After', async () => {
    const call = await invited();
    call.first().session.reject(503, { q850Cause: 34, retryAfterSeconds: 30 });
    await call.settle();
    const response = call.peer.responses.at(-1);
    expect(response?.status).toBe(503);
    expect(response?.headers.get('reason')).toBe('Q.850;cause=34');
    expect(response?.headers.get('retry-after')).toBe('30');
    expect(call.first().log.end()).toMatchObject({ outcome: 'refused', by: 'local', sipCode: 503 });
  });

  it('can be left without any response', async () => {
    const call = await invited();
    call.first().session.ignore();
    call.clock.turn(10_000);
    await call.invite();
    expect(call.statuses()).toEqual([]);
    expect(call.sessions).toHaveLength(1);
  });

  it('expires as its INVITE says (RFC 3261 section 13.3.1)', async () => {
    const call = await invited({ fields: [['expires', '20']] });
    call.first().session.ring();
    call.clock.turn(20_000);
    await call.settle();
    expect(call.statuses()).toContain(487);
    expect(call.first().log.end()).toMatchObject({ outcome: 'cancelled', by: 'network' });
  });

  it('without a common codec gets 488', async () => {
    const call = await invited({ body: sdpOf({ format: '18' }) });
    expect(call.first().session.answer(AUDIO)).toBeUndefined();
    await call.settle();
    expect(call.statuses()).toEqual([488]);
  });

  it('without an offer gets ours, and the audio comes with the ACK', async () => {
    const call = await invited({ body: '' });
    const { session, log } = call.first();
    expect(session.answer(AUDIO)).toBeNull();
    await call.settle();
    expect(call.peer.responses.at(-1)?.body.toString()).toContain('m=audio 40000');
    await call.within('ACK', 1, [['content-type', 'application/sdp']], sdpOf({ port: 32_000 }));
    expect(log.events).toMatchObject([{ kind: 'media', audio: { remotePort: 32_000 } }]);
  });

  it('puts the caller on hold and resumes', async () => {
    const call = await invited();
    call.first().session.answer(AUDIO);
    await call.settle();
    await call.within('ACK', 1);
    const outcome = call.first().session.reoffer('sendonly');
    await call.settle();
    const offer = call.peer.last('INVITE');
    expect(offer.uri).toBe(`sip:caller@${THEIRS}`);
    expect(offer.body.toString()).toContain('a=sendonly');
    call.peer.respond(offer, 200, {
      headers: [['content-type', 'application/sdp']],
      body: Buffer.from(sdpOf({ direction: 'recvonly' })),
    });
    expect((await Promise.all([outcome, call.settle()]))[0]).toBe('accepted');
  });

  it('sends early media reliably where the caller supports it, and the answer waits for PRACK (RFC 3262)', async () => {
    const call = await invited({ fields: [['supported', '100rel']] });
    const { session } = call.first();
    expect(session.progress(AUDIO)).toMatchObject({ codec: 'PCMU' });
    session.answer(AUDIO);
    call.clock.turn(600);
    await call.settle();
    expect(call.statuses()).toEqual([183, 183]);
    const rseq = call.peer.responses[0]?.headers.get('rseq') ?? '';
    await call.within('PRACK', 2, [['rack', `${Number(rseq) + 1} 1 INVITE`]]);
    await call.within('PRACK', 3, [['rack', `${rseq} 1 INVITE`]]);
    expect(call.statuses()).toEqual([183, 183, 481, 200, 200]);
  });

  it('whose PRACK never comes is rejected after 64 T1', async () => {
    const call = await invited({ fields: [['require', '100rel']] });
    call.first().session.ring();
    call.clock.turn(32_000);
    await call.settle();
    expect(call.statuses().at(-1)).toBe(504);
  });

  it('is refreshed as the caller asks (RFC 4028)', async () => {
    const call = await invited({
      fields: [
        ['session-expires', '90;refresher=uas'],
        ['supported', 'timer'],
        ['allow', 'UPDATE'],
      ],
    });
    call.first().session.answer(AUDIO);
    await call.settle();
    expect(call.peer.responses.at(-1)?.headers.get('session-expires')).toBe('90;refresher=uas');
    await call.within('ACK', 1);
    call.clock.turn(45_000);
    await call.settle();
    expect(call.peer.methods()).toEqual(['UPDATE']);
  });
});

describe('an INVITE is rejected before it rings', () => {
  it.each([
    ['an unknown extension', { fields: [['require', 'teleport']] as Fields }, 420],
    [
      'a session interval below 90 s, on answer',
      {
        fields: [
          ['session-expires', '30'],
          ['supported', 'timer'],
        ] as Fields,
      },
      422,
    ],
  ])('%s', async (_what, settings, status) => {
    const call = await invited(settings);
    call.sessions[0]?.session.answer(AUDIO);
    await call.settle();
    expect(call.statuses()).toEqual([status]);
  });

  it('the same INVITE by another path rings once (RFC 3261 section 8.2.2.2)', async () => {
    const call = await invited();
    await call.invite('another');
    expect(call.statuses()).toEqual([482]);
    expect(call.sessions).toHaveLength(1);
  });

  it('a call without the right password gets 407, with a fresh nonce each time', async () => {
    const authentication = { realm: 'r', passwordOf: () => 'secret' };
    const call = await invited({ options: { authentication } });
    expect(call.statuses()).toEqual([407]);
    expect(call.peer.responses[0]?.headers.all('proxy-authenticate')).toHaveLength(2);
    expect(call.sessions).toEqual([]);
  });

  it.each([
    ['BYE', 481],
    ['UPDATE', 481],
    ['OPTIONS', 200],
    ['REGISTER', 405],
    ['CANCEL', 481],
  ])('%s outside of a dialog gets %i', async (method, status) => {
    const { agent, peer, settle } = createBench();
    const fields = [
      ['from', '<sip:x@y>;tag=1'],
      ['to', '<sip:z@y>'],
      ['call-id', 'n'],
      ['cseq', `1 ${method}`],
    ] as const;
    await peer.send(OURS, { method, uri: `sip:${OURS}`, branch: 'n' }, fields);
    await settle();
    expect(peer.responses.map((response) => response.status)).toEqual([status]);
    expect(agent.sessionCount).toBe(0);
  });

  it('a call without Contact is rejected: no request could be sent within its dialog', async () => {
    const { agent, peer, settle } = createBench();
    agent.onInvite(() => expect.fail('must not be offered'));
    const fields = [
      ['from', '<sip:x@y>;tag=1'],
      ['to', '<sip:z@y>'],
      ['call-id', 'n'],
      ['cseq', '1 INVITE'],
    ] as const;
    await peer.send(OURS, { method: 'INVITE', uri: `sip:${OURS}`, branch: 'n' }, fields);
    await settle();
    expect(peer.responses.map(({ status }) => status)).toEqual([400]);
  });

  it('calls without a handler', async () => {
    const { peer, settle } = createBench();
    const fields = [
      ['from', '<sip:x@y>;tag=1'],
      ['to', '<sip:z@y>'],
      ['call-id', 'n'],
      ['cseq', '1 INVITE'],
    ] as const;
    await peer.send(OURS, { method: 'INVITE', uri: `sip:${OURS}`, branch: 'n' }, fields);
    await settle();
    expect(peer.responses.map(({ status }) => status)).toEqual([480]);
  });
});
