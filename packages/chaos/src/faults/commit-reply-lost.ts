import type { Attempt } from '../load/client.ts';
import type { Account } from '../stack/account.ts';
import { catchOne } from './catch-one.ts';
import type { Fault, FaultContext } from './fault.ts';
import { first } from './observe.ts';

const ROUNDS = 6;

/** Postgres has the calls but the API does not know; in every other round it cannot ask either. */
export const commitReplyLost: Fault = {
  name: 'commit-reply-lost',
  expectation: '503, or the call; the retry with the same key finds one call',
  carrier: 'simulated',
  async run(context) {
    const { stack } = context;
    const account = await stack.account();
    const violations: string[] = [];
    let unknown = 0;
    let recoveryMs = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const canAsk = round % 2 === 0;
      const { attempt, retriedMs } = await loseReply(context, account, canAsk);
      const { answer } = attempt;
      const code = answer.kind === 'refused' ? answer.code : null;
      // On a busy machine the deadline may pass first: also a 503, and the retry finds the same call.
      const isExpected = code === 'service_unavailable' || (answer.kind === 'accepted' && canAsk);
      if (code === 'outcome_unknown') unknown += 1;
      else if (!isExpected) violations.push(`answered ${JSON.stringify(answer)}`);
      recoveryMs = Math.max(recoveryMs, retriedMs);
    }
    return {
      injected: ROUNDS,
      hit: ROUNDS,
      recoveryMs,
      violations: unknown === 0 ? [...violations, 'no outcome was ever unknown'] : violations,
    };
  },
};

async function loseReply(
  { stack, clients }: FaultContext,
  account: Account,
  canAsk: boolean,
): Promise<{ readonly attempt: Attempt; readonly retriedMs: number }> {
  const api = first(stack.apis);
  const call = { toNumber: stack.number('impatient') };
  const { caught, key, asking } = await catchOne(
    (key) => api.databaseWire.trap({ text: key, at: 'reply' }),
    (key) => clients.place(account, call, { key, api }),
  );
  caught.swallow();
  if (!canAsk) api.databaseWire.silence();
  const attempt = await asking;
  api.databaseWire.heal();
  const startedMs = performance.now();
  await clients.placeWithRetries(account, call, { key });
  return { attempt, retriedMs: performance.now() - startedMs };
}
