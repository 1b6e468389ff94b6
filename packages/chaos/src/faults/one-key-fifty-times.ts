import { randomUUID } from 'node:crypto';
import type { Fault } from './fault.ts';

const ROUNDS = 10;
const AT_ONCE = 50;
const ALLOWED: ReadonlySet<string> = new Set(['idempotency_in_progress', 'service_unavailable', 'outcome_unknown']);

/** The retries of an impatient client, spread over both APIs. */
export const oneKeyFiftyTimes: Fault = {
  name: 'one-key-fifty-times',
  expectation: 'one call; the other requests replay it or learn that it is in progress',
  carrier: 'simulated',
  async run({ stack, clients }) {
    const account = await stack.account();
    const call = { toNumber: stack.number('impatient') };
    const violations: string[] = [];
    let hit = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const key = randomUUID();
      const attempts = await Promise.all(Array.from({ length: AT_ONCE }, () => clients.place(account, call, { key })));
      for (const { answer } of attempts) {
        if (answer.kind === 'refused' && !ALLOWED.has(answer.code)) violations.push(`answered ${answer.code}`);
      }
      hit += AT_ONCE - 1;
      await clients.placeWithRetries(account, call, { key });
    }
    const [row] = await stack.sql<{ calls: number }>('SELECT count(*)::int AS calls FROM calls WHERE account_id = $1', [
      account.id,
    ]);
    if (row?.calls !== ROUNDS) violations.push(`${ROUNDS} keys gave ${row?.calls} calls`);
    return { injected: ROUNDS, hit, recoveryMs: null, violations };
  },
};
