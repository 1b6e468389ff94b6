import { describe, expect, it } from 'vitest';
import { answeredCall, ringingCall } from '../../../test/sip/answered.ts';
import type { MemoryNetwork } from '../../../test/sip/memory-network.ts';
import type { Told } from '../../../test/sip/bench.ts';
import type { ManualClock } from '../../../test/manual-clock.ts';
import { createUserAgent } from '../user-agent.ts';

const CHALLENGE = [['www-authenticate', 'Digest realm="r", nonce="n", qop="auth"']] as const;

/** The last description as it comes back from a database. */
function stored(told: Told): unknown {
  const last = told.events.findLast((event) => event.kind === 'dialog');
  return JSON.parse(JSON.stringify(last?.kind === 'dialog' ? last.description : null));
}

/** A worker at another address that knows nothing of the call. */
function anotherWorker({ network, clock }: { network: MemoryNetwork; clock: ManualClock }) {
  return createUserAgent({ transport: network.attach('10.0.0.9'), clock, product: 'Test/1.0' });
}

describe('the call of a process that is gone', () => {
  it('while it rings: CANCEL with the dead worker’s own Via and number', async () => {
    const call = await ringingCall();
    const verdict = anotherWorker(call).endByDescription(stored(call.told));
    await call.settle();
    const cancel = call.peer.last('CANCEL');
    expect(cancel).toMatchObject({ uri: call.invite.uri, callId: call.invite.callId });
    expect(cancel.via.params.get('branch')).toBe(call.invite.via.params.get('branch'));
    expect(cancel.via.host).toBe(call.invite.via.host);
    expect(cancel.cseq).toEqual({ number: call.invite.cseq.number, method: 'CANCEL' });
    call.peer.respond(cancel, 200);
    await call.settle();
    expect(await verdict).toBe('gone');
  });

  it('while it talks: BYE within the dialog, with a number that the far end has not seen', async () => {
    const call = await answeredCall();
    const verdict = anotherWorker(call).endByDescription(stored(call.told));
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
  ] as const)('a BYE that gets %i: %s', async (status, expected) => {
    const call = await answeredCall();
    const verdict = anotherWorker(call).endByDescription(stored(call.told));
    await call.settle();
    call.peer.respond(call.peer.last('BYE'), status);
    await call.settle();
    expect(await verdict).toBe(expected);
  });

  it('silence is no proof', async () => {
    const call = await answeredCall();
    const verdict = anotherWorker(call).endByDescription(stored(call.told));
    await call.settle();
    call.clock.turn(32_000);
    await call.settle();
    expect(await verdict).toBe('unknown');
  });

  it('a CANCEL that comes too late is followed by BYE: the call may have been answered meanwhile', async () => {
    const call = await ringingCall();
    const verdict = anotherWorker(call).endByDescription(stored(call.told));
    await call.settle();
    call.peer.respond(call.peer.last('CANCEL'), 481);
    await call.settle();
    call.peer.respond(call.peer.last('BYE'), 200);
    await call.settle();
    expect(await verdict).toBe('gone');
  });

  it('a challenged BYE is answered with the trunk’s credentials, which are not in the description', async () => {
    const call = await answeredCall([], { credentials: { username: 'alice', password: 'very secret' } });
    expect(JSON.stringify(stored(call.told))).not.toContain('very secret');
    const verdict = anotherWorker(call).endByDescription(stored(call.told), {
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
    '%j is no description',
    async (value) => {
      const call = await ringingCall();
      expect(await anotherWorker(call).endByDescription(value)).toBe('unknown');
    },
  );

  it('the description tells how far the call is', async () => {
    const { told } = await answeredCall();
    const states = told.events.flatMap((event) => (event.kind === 'dialog' ? [event.description.state] : []));
    expect(states).toEqual(['calling', 'proceeding', 'answered']);
  });
});
