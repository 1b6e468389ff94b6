import { describe, expect, it } from 'vitest';
import { answeredCall, ringingCall } from '../../test/answered.ts';
import { callRequest, createBench, SDP_PARTS, sdpOf, watch } from '../../test/bench.ts';
import { CallRequestError } from './call-request.ts';

const PCMU = { toTag: 'a', ...SDP_PARTS };

describe('an answered call', () => {
  it('is reported, acknowledged, and hung up with BYE; it ends once the far end has confirmed', async () => {
    const { peer, session, log, settle, agent } = await answeredCall();
    expect(peer.methods()).toEqual(['INVITE', 'ACK']);
    expect(log.kinds()).toEqual(['dialog', 'provisional', 'dialog', 'answered']);
    session.hangUp();
    session.hangUp();
    await settle();
    expect(log.end()).toBeUndefined();
    peer.respond(peer.last('BYE'), 200);
    await settle();
    expect(log.end()).toMatchObject({ outcome: 'completed', by: 'local', sipCode: 200 });
    expect(peer.methods()).toEqual(['INVITE', 'ACK', 'BYE']);
    expect(agent.sessionCount).toBe(0);
  });

  it('ends even when the BYE is never confirmed', async () => {
    const { clock, session, log, settle } = await answeredCall();
    session.hangUp();
    await settle();
    clock.turn(32_000);
    await settle();
    expect(log.end()).toMatchObject({ outcome: 'completed', by: 'local' });
  });

  it('repeats the same ACK, byte for byte, for every retransmitted 200', async () => {
    const { network, peer, invite, settle } = await answeredCall();
    peer.respond(invite, 200, PCMU);
    peer.respond(invite, 200, PCMU);
    await settle();
    const acks = network.carried.filter(({ text }) => text.startsWith('ACK')).map(({ text }) => text);
    expect(acks).toHaveLength(3);
    expect(new Set(acks).size).toBe(1);
  });

  it('ended by the callee has the cause from the BYE', async () => {
    const { peer, within, log, settle } = await answeredCall();
    const fields = within(1, 'BYE', [['reason', 'Q.850;cause=31']]);
    await peer.send('10.0.0.1', { method: 'BYE', uri: 'sip:x@10.0.0.1', branch: 'b1' }, fields);
    await settle();
    expect(peer.responses.at(-1)).toMatchObject({ status: 200, cseq: { method: 'BYE' } });
    expect(log.end()).toMatchObject({ outcome: 'completed', by: 'remote', q850Cause: 31 });
  });

  it('uses the description of the 200 where it differs from the early one, and reports no change', async () => {
    const { peer, invite, log, settle } = await ringingCall();
    peer.respond(invite, 183, { ...PCMU, body: Buffer.from(sdpOf({ port: 20_000 })) });
    await settle();
    peer.respond(invite, 200, PCMU);
    await settle();
    expect(log.kinds()).not.toContain('media');
    expect(log.events.at(-1)).toMatchObject({ kind: 'answered', audio: { remotePort: 30_000 } });
  });

  it('rejects an offer by UPDATE while its own is pending (RFC 3311 section 5.2)', async () => {
    const { peer, invite, settle } = await ringingCall();
    const fields = [
      ['from', `${invite.headers.get('to')};tag=a`],
      ['to', invite.headers.get('from') ?? ''],
      ['call-id', invite.callId],
      ['cseq', '1 UPDATE'],
    ] as const;
    await peer.send('10.0.0.1', { method: 'UPDATE', uri: 'sip:x@10.0.0.1', branch: 'u', body: sdpOf() }, fields);
    await settle();
    expect(peer.responses.at(-1)?.status).toBe(491);
  });

  it('without a common codec is acknowledged and hung up', async () => {
    const { peer, invite, settle, log } = await ringingCall();
    peer.respond(invite, 200, { ...PCMU, body: Buffer.from(sdpOf({ format: '18' })) });
    await settle();
    expect(peer.methods()).toEqual(['INVITE', 'ACK', 'BYE']);
    peer.respond(peer.last('BYE'), 200);
    await settle();
    expect(log.end()).toMatchObject({ outcome: 'no_media', sipCode: 200 });
    expect(log.kinds()).not.toContain('answered');
  });
});

describe('forks (RFC 3261 section 13.2.2.4)', () => {
  it('the first answer is the call; every other one is acknowledged and hung up', async () => {
    const { peer, invite, log, settle } = await answeredCall();
    peer.respond(invite, 200, { ...PCMU, toTag: 'b' });
    await settle();
    peer.respond(invite, 200, { ...PCMU, toTag: 'b' });
    await settle();
    expect(peer.methods()).toEqual(['INVITE', 'ACK', 'ACK', 'BYE', 'ACK']);
    expect(peer.last('BYE').headers.get('to')).toMatch(/tag=b$/);
    expect(log.kinds().filter((kind) => kind === 'answered')).toHaveLength(1);
    expect(log.end()).toBeUndefined();
  });

  it('each has its own route and target, and the 200 decides both', async () => {
    const { peer, invite, session, settle } = await ringingCall();
    const routes = [
      ['record-route', '<sip:10.0.0.2;lr;n=1>'],
      ['record-route', '<sip:10.0.0.2;lr;n=2>'],
    ] as const;
    peer.respond(invite, 200, { ...PCMU, headers: [...SDP_PARTS.headers, ...routes] });
    await settle();
    session.hangUp();
    await settle();
    for (const request of [peer.last('ACK'), peer.last('BYE')]) {
      expect(request.headers.all('route')).toEqual(['<sip:10.0.0.2;lr;n=2>', '<sip:10.0.0.2;lr;n=1>']);
      expect(request.uri).toBe('sip:callee@10.0.0.2');
    }
  });
});

describe('giving up', () => {
  it('before anything was sent: nothing is sent', async () => {
    const { agent, peer, settle } = createBench();
    const session = agent.call(callRequest());
    const log = watch(session);
    session.hangUp();
    await settle();
    expect(peer.methods()).toEqual([]);
    expect(log.end()).toMatchObject({ outcome: 'cancelled', by: 'local', sipCode: null });
  });

  it('before a provisional response: CANCEL waits for one (section 9.1)', async () => {
    const { agent, peer, settle } = createBench();
    const session = agent.call(callRequest());
    const log = watch(session);
    await settle();
    session.hangUp();
    await settle();
    expect(peer.methods()).toEqual(['INVITE']);
    peer.respond(peer.last('INVITE'), 100);
    await settle();
    expect(peer.methods()).toEqual(['INVITE', 'CANCEL']);
    const [invite, cancel] = [peer.last('INVITE'), peer.last('CANCEL')];
    expect(cancel.headers.get('via')).toBe(invite.headers.get('via'));
    expect(cancel).toMatchObject({ uri: invite.uri, cseq: { number: invite.cseq.number } });
    peer.respond(cancel, 200);
    peer.respond(invite, 487, { toTag: 'a' });
    await settle();
    expect(log.end()).toMatchObject({ outcome: 'cancelled', by: 'local', sipCode: 487 });
    expect(peer.methods()).toEqual(['INVITE', 'CANCEL', 'ACK']);
  });

  it('after the ring timeout ends as no_answer', async () => {
    const { clock, peer, invite, log, settle } = await ringingCall({ ringTimeoutMs: 30_000 });
    expect(invite.headers.get('expires')).toBe('35');
    clock.turn(30_000);
    await settle();
    peer.respond(invite, 487, { toTag: 'a' });
    await settle();
    expect(log.end()).toMatchObject({ outcome: 'no_answer', by: 'local', sipCode: 487 });
  });

  it('a 200 that crosses the CANCEL is acknowledged and hung up', async () => {
    const { peer, session, invite, log, settle } = await ringingCall();
    session.hangUp();
    peer.respond(invite, 200, PCMU);
    await settle();
    expect(peer.methods()).toEqual(['INVITE', 'CANCEL', 'ACK', 'BYE']);
    peer.respond(peer.last('BYE'), 200);
    await settle();
    expect(log.end()).toMatchObject({ outcome: 'cancelled', by: 'local', sipCode: 200 });
    expect(log.kinds()).not.toContain('answered');
  });

  it('a CANCEL without a final response ends after 64 T1, and even then a 200 is hung up', async () => {
    const { clock, peer, session, invite, log, settle } = await ringingCall();
    session.hangUp();
    await settle();
    clock.turn(32_000);
    await settle();
    expect(log.end()).toMatchObject({ outcome: 'cancelled', sipCode: null });
    peer.respond(invite, 200, PCMU);
    await settle();
    expect(peer.methods().slice(-2)).toEqual(['ACK', 'BYE']);
  });

  it('a rejection that crosses the CANCEL is the callee’s own', async () => {
    const { peer, session, invite, log, settle } = await ringingCall();
    session.hangUp();
    peer.respond(invite, 486, { toTag: 'a' });
    await settle();
    expect(log.end()).toMatchObject({ outcome: 'refused', by: 'remote', sipCode: 486 });
  });
});

describe('an invalid request', () => {
  it.each([
    [{ target: 'tel:+1202' }, /target/],
    [{ from: { uri: 'nobody' } }, /from\.uri/],
    [{ outboundProxy: 'proxy' }, /outboundProxy/],
    [{ ringTimeoutMs: 0 }, /ringTimeoutMs/],
    [{ sessionSeconds: 30 }, /sessionSeconds/],
    [{ headers: { 'X-Y': 'a\r\nRoute: <sip:evil.test>' } }, /x-y/i],
    [{ from: { uri: 'sip:a@b', displayName: 'a\nb' } }, /line/],
  ])('%j is rejected by the name of the field', (changes, message) => {
    const { agent } = createBench();
    const call = () => agent.call(callRequest(changes));
    expect(call).toThrow(CallRequestError);
    expect(call).toThrow(message);
    expect(agent.sessionCount).toBe(0);
  });
});
