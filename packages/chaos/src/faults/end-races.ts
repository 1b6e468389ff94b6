import { setTimeout as sleep } from 'node:timers/promises';
import { endCall } from '../load/client.ts';
import type { Persona } from '../stack/numbers.ts';
import type { Fault } from './fault.ts';
import { callsOf, first, until, PATIENCE_MS } from './observe.ts';

const CALLS = 120;
const LATEST_END_MS = 5_000;
const PERSONAS: readonly Persona[] = ['silent', 'impatient', 'busy', 'never_answers'];

/** Datagrams arrive twice and out of order, and every call gets a request to end at some moment of its life. */
export const endRaces: Fault = {
  name: 'end-races',
  expectation: 'calls only move forward, and each is settled once',
  carrier: 'sip',
  async run({ stack, clients, random }) {
    const { signalling } = stack;
    if (!signalling) throw new Error('calls over SIP have a signalling proxy');
    const account = await stack.account();
    signalling.disturb(random);
    const asked = await Promise.all(
      Array.from({ length: CALLS }, async () => {
        const toNumber = stack.number(random.pick(PERSONAS));
        const waitMs = random.integer(0, LATEST_END_MS);
        const answer = await clients.placeWithRetries(account, {
          toNumber,
          maxDurationSeconds: 60,
          ringTimeoutSeconds: 20,
        });
        if (answer.kind !== 'accepted') throw new Error(`a call was rejected: ${answer.kind}`);
        await sleep(waitMs);
        return endCall(first(stack.apis), account, answer.callId);
      }),
    );
    await until('all calls ended', PATIENCE_MS, async () =>
      (await callsOf(stack, account)).every(({ status }) => status === 'ended'),
    );
    signalling.heal();
    const failed = asked.filter((status) => status >= 500);
    return {
      injected: signalling.disturbed(),
      hit: asked.length - failed.length,
      recoveryMs: null,
      violations: failed.map((status) => `the request to end was answered ${status}`),
    };
  },
};
