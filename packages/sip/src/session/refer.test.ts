import { describe, expect, it } from 'vitest';
import { answeredCall, ringingCall } from '../../test/answered.ts';
import { callRequest, createBench, OURS, SDP_PARTS, sdpOf, THEIRS, watch } from '../../test/bench.ts';
import type { CallRequest } from './call-request.ts';
import type { IncomingReferral } from './incoming-referral.ts';
import type { IncomingSession } from './incoming-session.ts';
import type { ReferralOutcome } from './referral.ts';

const REFER = {
  target: 'sip:+12025550142@trunk.example',
  referredBy: 'sip:+12025550199@example.test',
  timeoutMs: 25_000,
};

/** An answered call that refers the far end to another number. */
async function referringCall(changes: Partial<CallRequest> = {}) {
  const call = await answeredCall([], changes);
  expect(call.session.refer(REFER)).toBe(true);
  await call.settle();
  let cseq = 0;
  const ask = async (method: string, fields: readonly (readonly [string, string])[] = [], body?: string) => {
    cseq += 1;
    const request = {
      method,
      uri: `sip:x@${OURS}`,
      branch: `${method}${cseq}`,
      ...(body === undefined ? {} : { body }),
    };
    await call.peer.send(OURS, request, call.within(cseq, method, fields));
    await call.settle();
    return call.peer.responses.findLast((response) => response.cseq.number === cseq)?.status;
  };
  return {
    ...call,
    ask,
    notify: (status: number, { state = status < 200 ? 'active' : 'terminated', event = 'refer' } = {}) =>
      ask(
        'NOTIFY',
        [
          ['event', event],
          ['subscription-state', state],
          ['content-type', 'message/sipfrag'],
        ],
        `SIP/2.0 ${status} Whatever\r\n`,
      ),
    answer: async (status: number, headers: readonly (readonly [string, string])[] = []) => {
      call.peer.respond(call.peer.last('REFER'), status, { headers });
      await call.settle();
    },
    outcomes: (): ReferralOutcome[] =>
      call.log.events.flatMap((event) => (event.kind === 'referral' ? [event.outcome] : [])),
  };
}

describe('a REFER', () => {
  it('names who is to be called, who asks, and how to reach us', async () => {
    const call = await referringCall();
    const { uri, headers } = call.peer.last('REFER');
    expect(uri).toBe(`sip:callee@${THEIRS}`);
    expect(headers.get('refer-to')).toBe('<sip:+12025550142@trunk.example>');
    expect(headers.get('referred-by')).toBe('<sip:+12025550199@example.test>');
    expect(headers.get('contact')).toBe(`<sip:+12025550199@${OURS}:5060>`);
  });

  it('succeeds with the report of a 2xx, and the call stays up until it is hung up', async () => {
    const call = await referringCall();
    await call.answer(202);
    expect([await call.notify(100), await call.notify(180)]).toEqual([200, 200]);
    expect(call.outcomes()).toEqual([]);
    expect(await call.notify(200)).toBe(200);
    expect(call.outcomes()).toEqual([{ kind: 'transferred', sipCode: 200 }]);
    expect(call.log.end()).toBeUndefined();
    call.session.hangUp();
    await call.settle();
    expect(call.peer.methods().at(-1)).toBe('BYE');
  });

  it('takes a report that overtakes the response', async () => {
    const call = await referringCall();
    await call.notify(100, { event: 'refer;id=7' });
    await call.notify(200, { event: 'refer;id=7' });
    await call.answer(202);
    expect(call.outcomes()).toEqual([{ kind: 'transferred', sipCode: 200 }]);
  });

  it.each([405, 420, 403, 501, 503, 603, 302])('is refused with %i, and the call goes on', async (status) => {
    const call = await referringCall();
    await call.answer(status);
    expect(call.outcomes()).toEqual([{ kind: 'refused', sipCode: status }]);
    expect(call.log.end()).toBeUndefined();
    expect(call.session.refer(REFER)).toBe(true);
  });

  it('fails with the report of a rejection, and another one can follow', async () => {
    const call = await referringCall();
    await call.answer(202);
    await call.notify(486);
    expect(call.outcomes()).toEqual([{ kind: 'failed', sipCode: 486 }]);
    expect(call.session.refer(REFER)).toBe(true);
    await call.settle();
    await call.answer(202);
    await call.notify(200, { event: `refer;id=${call.peer.last('REFER').cseq.number}` });
    expect(call.outcomes().at(-1)).toEqual({ kind: 'transferred', sipCode: 200 });
  });

  it('fails when the far end ends the subscription without a final status', async () => {
    const call = await referringCall();
    await call.answer(202);
    await call.notify(180, { state: 'terminated;reason=giveup' });
    expect(call.outcomes()).toEqual([{ kind: 'failed', sipCode: null }]);
  });

  it('without a report in time is given up; a success that is reported later still counts, once', async () => {
    const call = await referringCall();
    await call.answer(202);
    await call.clock.turnGently(24_000, 10);
    expect(call.outcomes()).toEqual([]);
    await call.clock.turnGently(2_000, 10);
    expect(call.outcomes()).toEqual([{ kind: 'unreported' }]);
    await call.notify(200);
    await call.notify(200);
    expect(call.outcomes()).toEqual([{ kind: 'unreported' }, { kind: 'transferred', sipCode: 200 }]);
  });

  it('is not given up by a late report on an earlier one', async () => {
    const call = await referringCall();
    const earlier = call.peer.last('REFER').cseq.number;
    await call.answer(202);
    await call.clock.turnGently(26_000, 10);
    expect(call.session.refer(REFER)).toBe(true);
    await call.settle();
    await call.notify(486, { event: `refer;id=${earlier}` });
    expect(call.outcomes()).toEqual([{ kind: 'unreported' }]);
    await call.answer(202);
    await call.notify(200, { event: `refer;id=${call.peer.last('REFER').cseq.number}` });
    expect(call.outcomes().at(-1)).toEqual({ kind: 'transferred', sipCode: 200 });
  });

  it('reports a late success with the target that it is for', async () => {
    const call = await referringCall();
    const earlier = call.peer.last('REFER').cseq.number;
    await call.answer(202);
    await call.clock.turnGently(26_000, 10);
    expect(call.session.refer({ ...REFER, target: 'sip:other@trunk.example' })).toBe(true);
    await call.settle();
    await call.notify(200, { event: `refer;id=${earlier}` });
    expect(call.log.events.at(-1)).toMatchObject({ outcome: { kind: 'transferred' }, target: REFER.target });
  });

  it('without a response is given up, and the call goes on', async () => {
    const call = await referringCall();
    await call.clock.turnGently(26_000, 20);
    expect(call.outcomes()).toEqual([{ kind: 'unreported' }]);
    await call.clock.turnGently(20_000, 20);
    expect(call.outcomes()).toHaveLength(1);
    expect(call.log.end()).toBeUndefined();
  });

  it('that collides with a re-INVITE is sent again after a pause, three times at most', async () => {
    const call = await referringCall();
    for (let refers = 1; refers < 3; refers += 1) {
      await call.answer(491);
      await call.clock.turnGently(3_100, 10);
      expect(call.peer.all('REFER')).toHaveLength(refers + 1);
    }
    expect(call.outcomes()).toEqual([]);
    await call.answer(491);
    expect(call.outcomes()).toEqual([{ kind: 'refused', sipCode: 491 }]);
  });

  it('answers a challenge once, as other requests do', async () => {
    const call = await referringCall({ credentials: { username: 'u', password: 'p' } });
    const challenge = [['proxy-authenticate', 'Digest realm="x", nonce="1", algorithm=MD5, qop="auth"']] as const;
    await call.answer(407, challenge);
    expect(call.peer.all('REFER')).toHaveLength(2);
    expect(call.peer.last('REFER').headers.get('proxy-authorization')).toContain('username="u"');
    await call.answer(407, [['proxy-authenticate', 'Digest realm="x", nonce="2", algorithm=MD5, qop="auth"']]);
    expect(call.peer.all('REFER')).toHaveLength(2);
    expect(call.outcomes()).toEqual([{ kind: 'refused', sipCode: 407 }]);
  });

  it('whose far end refuses to report succeeds with its acceptance (RFC 4488)', async () => {
    const call = await referringCall();
    await call.answer(200, [['refer-sub', 'false']]);
    expect(call.outcomes()).toEqual([{ kind: 'transferred', sipCode: null }]);
  });

  it('for a call that the far end does not know ends the call', async () => {
    const call = await referringCall();
    await call.answer(481);
    expect(call.log.kinds().slice(-2)).toEqual(['referral', 'ended']);
    expect(call.peer.methods().at(-1)).toBe('BYE');
    expect(call.log.end()).toMatchObject({ outcome: 'lost' });
  });

  it('is not sent before the answer, after the end, or while another one is pending', async () => {
    const ringing = await ringingCall();
    expect(ringing.session.refer(REFER)).toBe(false);
    const call = await referringCall();
    expect(call.session.refer(REFER)).toBe(false);
    call.session.hangUp();
    expect(call.session.refer(REFER)).toBe(false);
  });
});

describe('a far end that hangs up during a REFER', () => {
  it('has taken the call if it accepted and never reported', async () => {
    const call = await referringCall();
    await call.answer(202);
    await call.ask('BYE');
    expect(call.log.kinds().slice(-2)).toEqual(['referral', 'ended']);
    expect(call.outcomes()).toEqual([{ kind: 'transferred', sipCode: null }]);
  });

  it('is the callee who hung up if it had reported, or had not accepted', async () => {
    const reported = await referringCall();
    await reported.answer(202);
    await reported.notify(180);
    await reported.ask('BYE');
    const asked = await referringCall();
    await asked.ask('BYE');
    for (const call of [reported, asked]) {
      expect(call.outcomes()).toEqual([]);
      expect(call.log.end()).toMatchObject({ outcome: 'completed', by: 'remote' });
      await call.clock.turnGently(40_000, 10);
      expect(call.outcomes()).toEqual([]);
    }
  });

  it('after its report of success crosses our BYE, and the call ends once', async () => {
    const call = await referringCall();
    await call.answer(202);
    await call.notify(200);
    call.session.hangUp();
    expect(await call.ask('BYE')).toBe(200);
    call.peer.respond(call.peer.last('BYE'), 481);
    await call.settle();
    expect(call.log.kinds().filter((kind) => kind === 'ended')).toHaveLength(1);
  });
});

describe('a NOTIFY', () => {
  it('of another event is rejected with 489, and one of no REFER of ours with 481', async () => {
    const call = await referringCall();
    expect(await call.notify(200, { event: 'presence' })).toBe(489);
    await call.answer(202);
    expect(await call.notify(200, { event: 'refer;id=999999' })).toBe(481);
    expect(call.outcomes()).toEqual([]);
    const plain = await answeredCall();
    await plain.peer.send(
      OURS,
      { method: 'NOTIFY', uri: `sip:x@${OURS}`, branch: 'n1' },
      plain.within(1, 'NOTIFY', [['event', 'refer']]),
    );
    await plain.settle();
    expect(plain.peer.responses.at(-1)?.status).toBe(481);
  });

  it.each(['', 'hello', 'SIP/2.0', 'SIP/2.0 999 No', 'SIP/2.0 20'])(
    'whose body is "%s" decides nothing',
    async (body) => {
      const call = await referringCall();
      await call.answer(202);
      const fields = [
        ['event', 'refer'],
        ['subscription-state', 'active'],
      ] as const;
      expect(await call.ask('NOTIFY', fields, body)).toBe(200);
      expect(call.outcomes()).toEqual([]);
      expect(call.log.end()).toBeUndefined();
    },
  );
});

/** Our user agent as the callee, and a call that it answered. */
async function answering() {
  const bench = createBench();
  const sessions: IncomingSession[] = [];
  bench.agent.onInvite((session) => {
    sessions.push(session);
    watch(session);
    session.answer(callRequest().audio);
  });
  const head = [
    ['from', `<sip:caller@${THEIRS}>;tag=c`],
    ['call-id', 'in'],
  ] as const;
  const target = { uri: `sip:x@${OURS}` };
  await bench.peer.send(OURS, { method: 'INVITE', ...target, branch: 'i', body: sdpOf() }, [
    ...head,
    ['to', `<sip:x@${OURS}>`],
    ['cseq', '1 INVITE'],
    ['contact', `<sip:caller@${THEIRS}>`],
    ...SDP_PARTS.headers,
  ]);
  await bench.settle();
  const to = bench.peer.responses.at(-1)?.headers.get('to') ?? '';
  const within = (cseq: number, method: string) =>
    [...head, ['to', to], ['cseq', `${cseq} ${method}`], ['contact', `<sip:caller@${THEIRS}>`]] as const;
  await bench.peer.send(OURS, { method: 'ACK', ...target, branch: 'a' }, within(1, 'ACK'));
  await bench.settle();
  const refer = async (cseq: number, fields: readonly (readonly [string, string])[]) => {
    await bench.peer.send(OURS, { method: 'REFER', ...target, branch: `r${cseq}` }, [
      ...within(cseq, 'REFER'),
      ...fields,
    ]);
    await bench.settle();
    return bench.peer.responses.at(-1);
  };
  return { ...bench, session: sessions[0], refer };
}

describe('an incoming REFER', () => {
  it('is rejected with 405 unless the session takes it, and with 400 unless it names one target', async () => {
    const { refer } = await answering();
    expect((await refer(2, [['refer-to', '<sip:a@b>']]))?.status).toBe(405);
    expect((await refer(3, []))?.status).toBe(400);
    const twice = [
      ['refer-to', '<sip:a@b>'],
      ['refer-to', '<sip:c@d>'],
    ] as const;
    expect((await refer(4, twice))?.status).toBe(400);
  });

  it('is accepted and reported on until a final status', async () => {
    const { refer, session, peer, settle } = await answering();
    const referrals: IncomingReferral[] = [];
    session?.onRefer((referral) => {
      referrals.push(referral);
      referral.accept();
      referral.notify(100);
    });
    const response = await refer(2, [
      ['refer-to', '"Sales" <sip:+12025550142@b>'],
      ['referred-by', '<sip:caller@c>'],
    ]);
    expect(response?.status).toBe(202);
    const [referral] = referrals;
    expect(referral).toMatchObject({ target: 'sip:+12025550142@b', referredBy: 'sip:caller@c' });
    referral?.notify(200);
    referral?.notify(486);
    await settle();
    const said = peer.all('NOTIFY').map(({ headers, body }) => [headers.get('subscription-state'), body.toString()]);
    expect(said).toEqual([
      ['active;expires=60', 'SIP/2.0 100 Trying\r\n'],
      ['terminated;reason=noresource', 'SIP/2.0 200 OK\r\n'],
    ]);
    expect(peer.last('NOTIFY').headers.get('event')).toBe('refer;id=2');
  });
});
