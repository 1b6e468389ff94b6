import type { AccountId } from '@outdial/contracts';
import { invariant, type Logger } from '@outdial/kernel';
import { parseBreakerName, type ParsedBreaker } from '../breaker.ts';
import type { Breakers, OpenBreaker } from '../ports/breakers.ts';
import { openMs } from './evaluate-breaker.ts';
import { logOpened } from './record-outcome.ts';

export interface ModelToCheck extends ParsedBreaker {
  /** Whose credential it is; null for the operator's. */
  readonly accountId: AccountId | null;
}

export interface CheckBreakersDeps {
  readonly breakers: Breakers;
  /** One request that costs no tokens, for at most 10 s. A credential that is gone is `reachable`: its calls end for that. */
  readonly checkCredential: (model: ModelToCheck) => Promise<'reachable' | 'unreachable'>;
  readonly logger: Logger;
}

/**
 * Checks the credentials of breakers whose time is over, each by one worker: if the provider answers, one call may try; if
 * it does not, the breaker opens again, for longer. Rejects while Redis is away.
 */
export async function checkBreakers(deps: CheckBreakersDeps): Promise<void> {
  const open = await deps.breakers.open();
  await Promise.all(open.filter(({ needsCheck }) => needsCheck).map((one) => check(deps, one)));
}

async function check(
  { breakers, checkCredential, logger }: CheckBreakersDeps,
  { breaker, streak, owner }: OpenBreaker,
): Promise<void> {
  if ((await breakers.change(breaker, streak, { kind: 'begin_check' })) === 'unchanged') return;
  const parsed = parseBreakerName(breaker);
  invariant(parsed !== null, `${breaker} is a breaker's name`);
  const result = await checkCredential({ ...parsed, accountId: owner });
  if (result === 'reachable') {
    await breakers.change(breaker, streak, { kind: 'checked' });
    return;
  }
  const forMs = openMs(streak + 1);
  const reopened = { kind: 'open', forMs, isChecked: false, owner } as const;
  if ((await breakers.change(breaker, streak, reopened)) === 'changed')
    logOpened(logger, { breaker, forMs, streak: streak + 1 });
}
