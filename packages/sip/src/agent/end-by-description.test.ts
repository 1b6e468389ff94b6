import type { ManualClock } from '@outdial/testkit/async';
import { describe, expect, it } from 'vitest';
import { answeredCall, ringingCall } from '../../test/answered.ts';
import type { MemoryNetwork } from '../../test/memory-network.ts';
import { callRequest, createBench, SDP_PARTS, watch, type SessionLog } from '../../test/bench.ts';
import { branchOf } from '../syntax/via.ts';
import { createUserAgent } from '../user-agent.ts';

const CHALLENGE = [['www-authenticate', 'Digest realm="r", nonce="n", qop="auth"']] as const;

/** The last description as it comes back from a database. */
function stored(log: SessionLog): unknown {
  const last = log.events.findLast((event) => event.kind === 'dialog');
  return JSON.parse(JSON.stringify(last?.kind === 'dialog' ? last.description : null));
}

/** A call without any response, and the description that its caller stored before the INVITE. */
async function invitedCall(target = 'sip:+12025550100@10.0.0.2') {
  const bench = createBench();
  const descriptions: unknown[] = [];
  const beginAttempt = async (description: unknown) => {
    descriptions.push(JSON.parse(JSON.stringify(description)));
    return 'go' as const;
  };
  // The worker is about to die, and acknowledges no answer.
  watch(bench.agent.call(callRequest({ target, beginAttempt, recorded: () => new Promise(() => undefined) })));
  await bench.settle();
  return { call: bench, description: descriptions.at(-1) };
}

/** A worker at another address that knows nothing of the call. */
function anotherWorker({ network, clock }: { network: MemoryNetwork; clock: ManualClock }) {
  return createUserAgent({ transport: network.attach('10.0.0.9'), clock, product: 'Test/1.0' });
}

describe('ending the call of a dead process', () => {
  it('while it rings: sends CANCEL with the dead worker’s Via and CSeq', async () => {
    const call = await ringingCall();
    const verdict = anotherWorker(call).endByDescription(stored(call.log));
    await call.settle();
    const cancel = call.peer.last('CANCEL');
    expect(cancel).toMatchObject({ uri: call.invite.uri, callId: call.invite.callId });
    expect(cancel.via.params.get('branch')).toBe(call.invite.via.params.get('branch'));
    expect(cancel.via.host).toBe(call.invite.via.host);
    expect(cancel.cseq).toEqual({ number: call.invite.cseq.number, method: 'CANCEL' });
    call.peer.respond(cancel, 200);
    await call.settle();
    // The answer may have crossed the CANCEL: then the BYE ends the call.
    const bye = call.peer.last('BYE');
    expect(bye.headers.get('to')).toMatch(/tag=a$/);
    call.peer.respond(bye, 481);
    await call.settle();
    expect(await verdict).toBe('gone');
  });

  it.each(['UDP', 'TCP', 'TLS'])(
    'with only the description stored before its INVITE, over %s: sends CANCEL',
    async (via) => {
      const { call, description } = await invitedCall(`sip:+12025550100@10.0.0.2;transport=${via.toLowerCase()}`);
      const verdict = anotherWorker(call).endByDescription(description);
      await call.settle();
      const [invite, cancel] = [call.peer.last('INVITE'), call.peer.last('CANCEL')];
      expect(cancel).toMatchObject({ uri: invite.uri, callId: invite.callId, cseq: { number: invite.cseq.number } });
      for (const name of ['from', 'to']) expect(cancel.headers.get(name)).toBe(invite.headers.get(name));
      expect([cancel.via.host, cancel.via.port, branchOf(cancel.via)]).toEqual([
        invite.via.host,
        invite.via.port,
        branchOf(invite.via),
      ]);
      expect(call.network.carried.at(-1)?.transport).toBe(via);
      call.peer.respond(cancel, 481);
      await call.settle();
      expect(await verdict).toBe('gone');
      expect(call.peer.all('BYE')).toEqual([]);
    },
  );

  it.each([200, null])(
    'answered before the answer could be stored: sends BYE with the tag from the response to CANCEL, and gets %s',
    async (status) => {
      const { call, description } = await invitedCall();
      call.peer.respond(call.peer.last('INVITE'), 200, { toTag: 'b', ...SDP_PARTS });
      await call.settle();
      const verdict = anotherWorker(call).endByDescription(description);
      await call.settle();
      call.peer.respond(call.peer.last('CANCEL'), 200, { toTag: 'b' });
      await call.settle();
      const bye = call.peer.last('BYE');
      expect(bye.headers.get('to')).toMatch(/^<sip:[^>]*>;tag=b$/);
      if (status === null) call.clock.turn(32_000);
      else call.peer.respond(bye, status);
      await call.settle();
      expect(await verdict).toBe('gone');
    },
  );

  it('while it is up: sends BYE within the dialog, with a CSeq that the far end has not seen', async () => {
    const call = await answeredCall();
    const verdict = anotherWorker(call).endByDescription(stored(call.log));
    await call.settle();
    const bye = call.peer.last('BYE');
    expect(bye.headers.get('from')).toBe(call.invite.headers.get('from'));
    expect(bye.headers.get('to')).toMatch(/tag=a$/);
    expect(bye.cseq.number).toBeGreaterThan(call.invite.cseq.number + 50);
    expect(bye.uri).toBe('sip:callee@10.0.0.2');
    call.peer.respond(bye, 200);
    await call.settle();
    expect(await verdict).toBe('gone');
  });

  it.each([
    [200, 'gone'],
    [481, 'gone'],
    [408, 'gone'],
    [500, 'unknown'],
    [403, 'unknown'],
  ] as const)('a BYE that gets %i means %s', async (status, expected) => {
    const call = await answeredCall();
    const verdict = anotherWorker(call).endByDescription(stored(call.log));
    await call.settle();
    call.peer.respond(call.peer.last('BYE'), status);
    await call.settle();
    expect(await verdict).toBe(expected);
  });

  it('no response means unknown', async () => {
    const call = await answeredCall();
    const verdict = anotherWorker(call).endByDescription(stored(call.log));
    await call.settle();
    call.clock.turn(32_000);
    await call.settle();
    expect(await verdict).toBe('unknown');
  });

  it('a CANCEL that comes too late is followed by BYE: the call may have been answered in between', async () => {
    const call = await ringingCall();
    const verdict = anotherWorker(call).endByDescription(stored(call.log));
    await call.settle();
    call.peer.respond(call.peer.last('CANCEL'), 481);
    await call.settle();
    call.peer.respond(call.peer.last('BYE'), 200);
    await call.settle();
    expect(await verdict).toBe('gone');
  });

  it('a challenged BYE is repeated with the trunk’s credentials, which are not in the description', async () => {
    const call = await answeredCall([], { credentials: { username: 'alice', password: 'very secret' } });
    expect(JSON.stringify(stored(call.log))).not.toContain('very secret');
    const verdict = anotherWorker(call).endByDescription(stored(call.log), {
      username: 'alice',
      password: 'very secret',
    });
    await call.settle();
    call.peer.respond(call.peer.last('BYE'), 401, { headers: CHALLENGE });
    await call.settle();
    expect(call.peer.last('BYE').headers.get('authorization')).toMatch(/username="alice"/);
    call.peer.respond(call.peer.last('BYE'), 200);
    await call.settle();
    expect(await verdict).toBe('gone');
  });

  it.each([null, 'text', {}, { version: 2 }, { version: 1, state: 'answered' }])(
    '%j is not a description',
    async (value) => {
      const call = await ringingCall();
      expect(await anotherWorker(call).endByDescription(value)).toBe('unknown');
    },
  );

  it('the description states how far the call is', async () => {
    const { log } = await answeredCall();
    const states = log.events.flatMap((event) => (event.kind === 'dialog' ? [event.description.state] : []));
    expect(states).toEqual(['proceeding', 'answered']);
  });
});
