import { describe, expect, it } from 'vitest';
import { answeredCall, ringingCall } from '../../test/answered.ts';
import { OURS, SDP_PARTS, sdpOf } from '../../test/bench.ts';

type Answered = Awaited<ReturnType<typeof answeredCall>>;
type Extra = readonly (readonly [string, string])[];

/** Sends one request of the callee and returns the final response to it. */
async function ask({ peer, within, settle }: Answered, cseq: number, method: string, extra: Extra = [], body?: string) {
  const type = body === undefined ? [] : ([['content-type', 'application/sdp']] as const);
  const request = { method, uri: `sip:x@${OURS}`, branch: `${method}${cseq}`, ...(body === undefined ? {} : { body }) };
  await peer.send(OURS, request, within(cseq, method, [['contact', '<sip:moved@10.0.0.2>'], ...type, ...extra]));
  await settle();
  const response = peer.responses.findLast(
    ({ cseq: answered }) => answered.number === cseq && answered.method === method,
  );
  if (response === undefined) throw new Error(`no response to ${method}`);
  return response;
}

async function acknowledge({ peer, within, settle }: Answered, cseq: number, body?: string) {
  const request = {
    method: 'ACK',
    uri: `sip:x@${OURS}`,
    branch: `ACK${cseq}`,
    ...(body === undefined ? {} : { body }),
  };
  await peer.send(OURS, request, within(cseq, 'ACK'));
  await settle();
}

function heldOf(call: Answered): boolean[] {
  return call.log.events.flatMap((event) => (event.kind === 'media' ? [event.audio.held] : []));
}

describe('offers of the far end', () => {
  it('put the call on hold and resume it, by direction or by the address 0.0.0.0', async () => {
    const call = await answeredCall();
    const directions: string[] = [];
    const offers = [
      sdpOf({ direction: 'sendonly' }),
      sdpOf(),
      sdpOf({ direction: 'inactive' }),
      sdpOf(),
      sdpOf({ address: '0.0.0.0' }),
    ];
    for (const [at, offer] of offers.entries()) {
      const response = await ask(call, at + 1, 'INVITE', [], offer);
      directions.push(/a=(\w+)\r\n$/.exec(response.body.toString())?.[1] ?? '');
      await acknowledge(call, at + 1);
    }
    expect(directions).toEqual(['recvonly', 'sendrecv', 'inactive', 'sendrecv', 'recvonly']);
    expect(heldOf(call)).toEqual([true, false, true, false, true]);
  });

  it('without a common codec are rejected, and the call stays as it was', async () => {
    const call = await answeredCall();
    expect((await ask(call, 1, 'INVITE', [], sdpOf({ format: '18' }))).status).toBe(488);
    expect(call.log.kinds()).not.toContain('media');
    expect(call.log.end()).toBeUndefined();
  });

  it('a re-INVITE without an offer gets ours, and the ACK brings the answer (RFC 3261 section 14.2)', async () => {
    const call = await answeredCall();
    const response = await ask(call, 1, 'INVITE');
    expect(response.body.toString()).toContain('m=audio 40000 RTP/AVP 0 8 101');
    await acknowledge(call, 1, sdpOf({ port: 31_000 }));
    expect(call.log.events.at(-1)).toMatchObject({ kind: 'media', audio: { remotePort: 31_000 } });
  });

  it('move the far end to their Contact', async () => {
    const call = await answeredCall();
    await ask(call, 1, 'UPDATE');
    call.session.hangUp();
    await call.settle();
    expect(call.peer.last('BYE').uri).toBe('sip:moved@10.0.0.2');
  });

  it('the 2xx to one is retransmitted until its ACK; without an ACK the call is lost', async () => {
    const call = await answeredCall();
    await ask(call, 1, 'INVITE', [], sdpOf());
    call.clock.turn(4_000);
    await call.settle();
    const copies = () => call.peer.responses.filter(({ cseq }) => cseq.number === 1).length;
    expect(copies()).toBe(4);
    expect((await ask(call, 2, 'INVITE', [], sdpOf())).status).toBe(491);
    call.clock.turn(32_000);
    await call.settle();
    expect(call.peer.methods().at(-1)).toBe('BYE');
    expect(call.log.end()).toMatchObject({ outcome: 'lost', by: 'network' });
  });
});

describe('other requests of the far end', () => {
  it.each([
    ['OPTIONS', 200],
    ['INFO', 200],
    ['UPDATE', 200],
    ['PRACK', 481],
    ['REFER', 405],
    ['MESSAGE', 405],
    ['FROB', 405],
  ])('%s is answered with %i', async (method, status) => {
    const call = await answeredCall();
    const response = await ask(call, 1, method);
    expect(response.status).toBe(status);
    if (status === 405) expect(response.headers.all('allow')).toContain('UPDATE');
    expect(call.log.end()).toBeUndefined();
  });

  it('out of order are rejected with 500 (RFC 3261 section 12.2.2)', async () => {
    const call = await answeredCall();
    await ask(call, 5, 'OPTIONS');
    expect((await ask(call, 4, 'OPTIONS')).status).toBe(500);
  });

  it('that require an unknown extension are rejected with 420', async () => {
    const call = await answeredCall();
    const response = await ask(call, 1, 'UPDATE', [['require', 'timer, teleport']]);
    expect(response.status).toBe(420);
    expect(response.headers.all('unsupported')).toEqual(['teleport']);
  });

  it('with an unknown tag match no dialog', async () => {
    const call = await answeredCall();
    const fields = call.within(1, 'BYE').map(([name, value]) => [name, name === 'from' ? `${value}x` : value] as const);
    await call.peer.send(OURS, { method: 'BYE', uri: `sip:x@${OURS}`, branch: 'stray' }, fields);
    await call.settle();
    expect(call.peer.responses.at(-1)?.status).toBe(481);
    expect(call.log.end()).toBeUndefined();
  });

  it('INFO carries digits in two forms', async () => {
    const call = await answeredCall();
    for (const [at, [type, body]] of [
      ['application/dtmf-relay', 'Signal=5\r\nDuration=160'],
      ['application/dtmf', '#'],
      ['text/plain', '7'],
    ].entries()) {
      const request = { method: 'INFO', uri: `sip:x@${OURS}`, branch: `i${at}`, body: body ?? '' };
      await call.peer.send(OURS, request, call.within(at + 1, 'INFO', [['content-type', type ?? '']]));
      await call.settle();
    }
    expect(call.log.events.flatMap((event) => (event.kind === 'digits' ? [event.digits] : []))).toEqual(['5', '#']);
  });
});

describe('our own offers', () => {
  it('put the far end on hold, and apply the answer', async () => {
    const call = await answeredCall();
    const outcome = call.session.reoffer('sendonly');
    await call.settle();
    const offer = call.peer.last('INVITE');
    expect(offer.body.toString()).toContain('a=sendonly');
    expect(offer.body.toString()).toMatch(/o=- \d+ 2 /);
    call.peer.respond(offer, 200, { ...SDP_PARTS, body: Buffer.from(sdpOf({ direction: 'recvonly' })) });
    expect((await Promise.all([outcome, call.settle()]))[0]).toBe('accepted');
    expect(call.peer.methods().slice(-2)).toEqual(['INVITE', 'ACK']);
    const media = call.log.events.findLast(({ kind }) => kind === 'media');
    expect(media).toMatchObject({ audio: { direction: 'sendonly', held: false } });
  });

  it('are repeated after a pause when they collide (RFC 3261 section 14.1)', async () => {
    const call = await answeredCall();
    const outcome = call.session.reoffer('sendonly');
    await call.settle();
    expect((await ask(call, 1, 'INVITE', [], sdpOf())).status).toBe(491);
    call.peer.respond(call.peer.last('INVITE'), 491);
    await call.settle();
    const sent = call.peer.all('INVITE').length;
    call.clock.turn(2_000);
    await call.settle();
    expect(call.peer.all('INVITE')).toHaveLength(sent);
    call.clock.turn(1_100);
    await call.settle();
    expect(call.peer.all('INVITE')).toHaveLength(sent + 1);
    call.peer.respond(call.peer.last('INVITE'), 488);
    expect((await Promise.all([outcome, call.settle()]))[0]).toBe('refused');
  });

  it('answered with 481 mean that the call is gone (RFC 3261 section 12.2.1.2)', async () => {
    const call = await answeredCall();
    const outcome = call.session.reoffer('sendonly');
    await call.settle();
    call.peer.respond(call.peer.last('INVITE'), 481);
    expect((await Promise.all([outcome, call.settle()]))[0]).toBe('gone');
    expect(call.log.end()).toMatchObject({ outcome: 'lost' });
  });
});

const expires = (value: string, ...more: Extra): Extra => [['session-expires', value], ['supported', 'timer'], ...more];

describe('session timers (RFC 4028)', () => {
  it('refresher=uac: we refresh at half time, by UPDATE where the far end allows it', async () => {
    const call = await answeredCall(expires('90;refresher=uac', ['allow', 'INVITE, ACK, BYE, UPDATE']));
    call.clock.turn(45_000);
    await call.settle();
    expect(call.peer.last('UPDATE').headers.get('session-expires')).toBe('90;refresher=uac');
    call.peer.respond(call.peer.last('UPDATE'), 200, { headers: [['session-expires', '90;refresher=uac']] });
    await call.settle();
    call.clock.turn(45_000);
    await call.settle();
    expect(call.peer.all('UPDATE')).toHaveLength(2);
  });

  it('and by re-INVITE with the same description where it does not', async () => {
    const call = await answeredCall(expires('90;refresher=uac', ['allow', 'INVITE, ACK, BYE']));
    call.clock.turn(45_000);
    await call.settle();
    const refresh = call.peer.last('INVITE');
    expect(refresh.body).toEqual(call.invite.body);
    expect(refresh.cseq.number).toBe(call.invite.cseq.number + 1);
  });

  it('the answer to such a re-INVITE applies: it may have moved the audio', async () => {
    const call = await answeredCall(expires('90;refresher=uac', ['allow', 'INVITE, ACK, BYE']));
    call.clock.turn(45_000);
    await call.settle();
    const headers = [...SDP_PARTS.headers, ['session-expires', '90;refresher=uac']] as const;
    call.peer.respond(call.peer.last('INVITE'), 200, { headers, body: Buffer.from(sdpOf({ port: 31_000 })) });
    await call.settle();
    expect(call.log.events.at(-1)).toMatchObject({ kind: 'dialog' });
    const media = call.log.events.findLast(({ kind }) => kind === 'media');
    expect(media).toMatchObject({ audio: { remotePort: 31_000 } });
  });

  it('and while it is pending, an offer of the far end collides with it (RFC 3261 section 14.2)', async () => {
    const call = await answeredCall(expires('90;refresher=uac', ['allow', 'INVITE, ACK, BYE']));
    call.clock.turn(45_000);
    await call.settle();
    expect((await ask(call, 1, 'INVITE', [], sdpOf({ direction: 'sendonly' }))).status).toBe(491);
    call.peer.respond(call.peer.last('INVITE'), 491);
    await call.settle();
    expect((await ask(call, 2, 'INVITE', [], sdpOf({ direction: 'sendonly' }))).status).toBe(200);
    expect(heldOf(call)).toEqual([true]);
  });

  it('and one that is never answered is dropped with the call: a later message is not taken for its answer', async () => {
    const call = await answeredCall(expires('90;refresher=uac', ['allow', 'INVITE, ACK, BYE']));
    call.clock.turn(45_000);
    await call.settle();
    const refresh = call.peer.last('INVITE');
    call.peer.respond(refresh, 100);
    await call.settle();
    call.session.hangUp();
    await call.settle();
    call.peer.respond(call.peer.last('BYE'), 200);
    await call.settle();
    expect(call.log.end()).toMatchObject({ outcome: 'completed', by: 'local' });
    call.clock.turn(32_000);
    const acknowledged = call.peer.all('ACK').length;
    call.peer.respond(refresh, 487);
    await call.settle();
    expect(call.peer.all('ACK')).toHaveLength(acknowledged);
    expect(call.clock.pendingTimers).toBe(0);
  });

  it('a refresh that gets 481, 408 or no response ends the call', async () => {
    for (const status of [481, 408, null]) {
      const call = await answeredCall(expires('180;refresher=uac', ['allow', 'UPDATE']));
      call.clock.turn(90_000);
      await call.settle();
      if (status === null) call.clock.turn(32_000);
      else call.peer.respond(call.peer.last('UPDATE'), status);
      await call.settle();
      expect(call.log.end()).toMatchObject({ outcome: 'lost', by: 'network' });
      expect(call.peer.methods().at(-1)).toBe('BYE');
    }
  });

  it('a refresh whose interval is too small is repeated with a longer one', async () => {
    const call = await answeredCall(expires('90;refresher=uac', ['allow', 'UPDATE']));
    call.clock.turn(45_000);
    await call.settle();
    call.peer.respond(call.peer.last('UPDATE'), 422, { headers: [['min-se', '600']] });
    await call.settle();
    expect(call.peer.last('UPDATE').headers.get('session-expires')).toBe('600;refresher=uac');
    expect(call.peer.last('UPDATE').headers.get('min-se')).toBe('600');
  });

  it('refresher=uas: without a refresh of the far end we hang up a little before expiry', async () => {
    const call = await answeredCall(expires('90;refresher=uas'));
    call.clock.turn(59_000);
    await call.settle();
    expect(call.log.end()).toBeUndefined();
    call.clock.turn(1_000);
    await call.settle();
    expect(call.peer.methods().at(-1)).toBe('BYE');
    expect(call.log.end()).toMatchObject({ outcome: 'lost', by: 'network' });
  });

  it('a refresh of the far end starts a new interval, with the role that it asks for', async () => {
    const call = await answeredCall(expires('90;refresher=uas'));
    call.clock.turn(50_000);
    const response = await ask(call, 1, 'UPDATE', expires('120;refresher=uac'));
    expect(response.headers.get('session-expires')).toBe('120;refresher=uac');
    expect(response.headers.lists('require', 'timer')).toBe(true);
    call.clock.turn(79_000);
    await call.settle();
    expect(call.log.end()).toBeUndefined();
    call.clock.turn(10_000);
    await call.settle();
    expect(call.log.end()).toMatchObject({ outcome: 'lost' });
  });

  it('an interval below 90 s is rejected with 422 and Min-SE', async () => {
    const call = await answeredCall();
    const response = await ask(call, 1, 'UPDATE', expires('60'));
    expect(response.status).toBe(422);
    expect(response.headers.get('min-se')).toBe('90');
  });

  it('a hold without a session timer keeps the interval, with us as refresher', async () => {
    const call = await answeredCall(expires('90;refresher=uas', ['allow', 'UPDATE']));
    const response = await ask(call, 1, 'INVITE', [], sdpOf({ direction: 'sendonly' }));
    expect(response.headers.get('session-expires')).toBe('90;refresher=uas');
    await acknowledge(call, 1);
    call.clock.turn(45_000);
    await call.settle();
    expect(call.peer.last('UPDATE').headers.get('session-expires')).toBe('90;refresher=uac');
  });
});

const reliable = (rseq: number) => [['require', '100rel'], ['rseq', String(rseq)], ...SDP_PARTS.headers] as const;

describe('reliable provisional responses (RFC 3262)', () => {
  it('are acknowledged with PRACK, once each and in order', async () => {
    const { peer, invite, log, settle } = await ringingCall();
    for (const rseq of [10, 10, 12, 11]) {
      peer.respond(invite, 183, { toTag: 'a', headers: reliable(rseq), body: SDP_PARTS.body });
      await settle();
    }
    const racks = peer.all('PRACK').map(({ headers }) => headers.get('rack'));
    expect(racks).toEqual([10, 11].map((rseq) => `${rseq} ${invite.cseq.number} INVITE`));
    expect(log.kinds().filter((kind) => kind === 'provisional')).toHaveLength(3);
    const last = log.events.findLast(({ kind }) => kind === 'provisional');
    expect(last).toMatchObject({ sipCode: 183, audio: { codec: 'PCMU' } });
    expect(log.kinds()).not.toContain('answered');
  });

  it('have their own order in each fork', async () => {
    const { peer, invite, settle } = await ringingCall();
    for (const toTag of ['b', 'c']) peer.respond(invite, 183, { toTag, headers: reliable(5), body: SDP_PARTS.body });
    await settle();
    expect(peer.all('PRACK').map(({ headers }) => headers.get('to')?.slice(-1))).toEqual(['b', 'c']);
  });
});
