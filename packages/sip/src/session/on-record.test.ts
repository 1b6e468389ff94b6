import { deferred } from '@outdial/testkit/async';
import { describe, expect, it } from 'vitest';
import { answeredCall } from '../../test/answered.ts';
import { callRequest, createBench, SDP_PARTS, watch } from '../../test/bench.ts';
import type { DialogDescription } from '../dialog/description.ts';
import type { ReceivedRequest } from '../syntax/message.ts';
import { branchOf } from '../syntax/via.ts';
import type { AttemptDecision, CallRequest } from './call-request.ts';

const CHALLENGE = [['www-authenticate', 'Digest realm="r", nonce="n", qop="auth"']] as const;
const ALICE = { username: 'alice', password: 'secret' };

/** A call whose caller stores descriptions when the test says so. */
async function call(changes: Partial<CallRequest> = {}) {
  const bench = createBench();
  const [begun, recorded] = [deferred<AttemptDecision>(), deferred<void>()];
  const descriptions: DialogDescription[] = [];
  const session = bench.agent.call(
    callRequest({
      beginAttempt: (description) => {
        descriptions.push(description);
        return begun.promise;
      },
      recorded: () => recorded.promise,
      ...changes,
    }),
  );
  const log = watch(session);
  await bench.settle();
  const described = () =>
    [...descriptions, ...log.events.flatMap((event) => (event.kind === 'dialog' ? [event.description] : []))].at(-1);
  return { ...bench, begun, recorded, session, log, described };
}

/** The fields that a CANCEL of this INVITE must repeat. */
const identityOf = ({ uri, callId, cseq, via, headers }: ReceivedRequest) => ({
  callId,
  localAddress: headers.get('from'),
  invite: {
    uri,
    via: expect.stringContaining(`${via.host}:${via.port};branch=${branchOf(via)}`),
    cseq: cseq.number,
    routes: headers.all('route'),
    to: headers.get('to'),
  },
});

describe('an INVITE', () => {
  it.each(['udp', 'tcp', 'tls'])('over %s is sent once it is stored, exactly as stored', async (transport) => {
    const target = `sip:+12025550100@10.0.0.2:5060;transport=${transport}`;
    const { peer, begun, settle, described } = await call({ target });
    expect(peer.methods()).toEqual([]);
    expect(described()).toMatchObject({ transport: transport.toUpperCase(), address: '10.0.0.2', port: 5_060 });
    begun.resolve('go');
    await settle();
    expect(described()).toMatchObject(identityOf(peer.last('INVITE')));
  });

  it('that answers a challenge is stored first too', async () => {
    const { peer, begun, recorded, settle, described } = await call({ credentials: ALICE });
    begun.resolve('go');
    await settle();
    const first = peer.last('INVITE');
    peer.respond(first, 401, { toTag: 'x', headers: CHALLENGE });
    await settle();
    expect(peer.methods()).toEqual(['INVITE', 'ACK']);
    recorded.resolve();
    await settle();
    const second = peer.last('INVITE');
    expect(second.cseq.number).toBe(first.cseq.number + 1);
    expect(described()).toMatchObject({ ...identityOf(second), state: 'calling' });
  });

  it('is not sent when the call is given up while it is stored, and nothing is awaited', async () => {
    const first = await call();
    first.session.hangUp();
    expect(first.log.end()).toMatchObject({ outcome: 'cancelled', by: 'local' });
    first.begun.resolve('go');
    await first.settle();
    expect(first.peer.methods()).toEqual([]);

    const second = await call({ credentials: ALICE });
    second.begun.resolve('go');
    await second.settle();
    second.peer.respond(second.peer.last('INVITE'), 401, { toTag: 'x', headers: CHALLENGE });
    await second.settle();
    second.session.hangUp();
    expect(second.log.end()).toMatchObject({ outcome: 'cancelled', by: 'local' });
    second.recorded.resolve();
    await second.settle();
    expect(second.peer.methods()).toEqual(['INVITE', 'ACK']);
  });

  it('is not sent when the right to dial ended while it was stored', async () => {
    let mayDial = true;
    const { peer, begun, log, settle } = await call({ mayDial: () => mayDial });
    mayDial = false;
    begun.resolve('go');
    await settle();
    expect(peer.methods()).toEqual([]);
    expect(log.end()).toMatchObject({ outcome: 'not_dialled' });
  });
});

/** An answered call whose caller has not stored the answer yet. */
async function unstored() {
  const stored = deferred<void>();
  return { ...(await answeredCall([], { recorded: () => stored.promise })), stored };
}

describe('an answer', () => {
  it('is acknowledged once it is stored: until then the far end retransmits it, and would end the call', async () => {
    const { peer, invite, log, stored, settle } = await unstored();
    expect(log.kinds()).toEqual(['dialog', 'provisional', 'dialog', 'answered']);
    peer.respond(invite, 200, { toTag: 'a', ...SDP_PARTS });
    await settle();
    expect(peer.methods()).toEqual(['INVITE']);
    stored.resolve();
    await settle();
    expect(peer.methods()).toEqual(['INVITE', 'ACK']);
    peer.respond(invite, 200, { toTag: 'a', ...SDP_PARTS });
    await settle();
    expect(peer.methods()).toEqual(['INVITE', 'ACK', 'ACK']);
  });

  it('that is not stored yet is acknowledged in order to hang up', async () => {
    const { peer, session, log, stored, settle } = await unstored();
    session.hangUp();
    await settle();
    expect(peer.methods()).toEqual(['INVITE', 'ACK', 'BYE']);
    peer.respond(peer.last('BYE'), 200);
    stored.resolve();
    await settle();
    expect(log.end()).toMatchObject({ outcome: 'completed', by: 'local' });
    expect(peer.methods()).toEqual(['INVITE', 'ACK', 'BYE']);
  });

  it('that the far end gave up on is not acknowledged', async () => {
    const { peer, within, log, stored, settle } = await unstored();
    await peer.send('10.0.0.1', { method: 'BYE', uri: 'sip:x@10.0.0.1', branch: 'b1' }, within(1, 'BYE'));
    await settle();
    stored.resolve();
    await settle();
    expect(peer.methods()).toEqual(['INVITE']);
    expect(log.end()).toMatchObject({ outcome: 'completed', by: 'remote' });
  });

  it('of another fork is acknowledged and hung up at once, without storing it', async () => {
    const { peer, invite, settle } = await unstored();
    peer.respond(invite, 200, { toTag: 'b', ...SDP_PARTS });
    await settle();
    expect(peer.methods()).toEqual(['INVITE', 'ACK', 'BYE']);
    expect(peer.last('BYE').headers.get('to')).toMatch(/tag=b$/);
  });
});
