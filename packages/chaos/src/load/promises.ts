import type { CallId } from '@outdial/contracts';
import type { Account } from '../stack/account.ts';
import type { Attempt } from './client.ts';

/** All answers to requests under one key: what the product has promised about it. */
export interface Promised {
  readonly account: Account;
  readonly key: string;
  readonly attempts: readonly Attempt[];
}

/** The answers that all clients of a fault received. The checker compares the stores with them. */
export class PromiseLog {
  readonly #byKey = new Map<
    string,
    { readonly account: Account; readonly key: string; readonly attempts: Attempt[] }
  >();

  record(account: Account, key: string, attempt: Attempt): void {
    const promised = this.#byKey.get(key) ?? { account, key, attempts: [] };
    promised.attempts.push(attempt);
    this.#byKey.set(key, promised);
  }

  all(): readonly Promised[] {
    return [...this.#byKey.values()];
  }
}

/** The calls for which a client received a 201. */
export function acceptedIds({ attempts }: Pick<Promised, 'attempts'>): readonly CallId[] {
  return attempts.flatMap(({ answer }) => (answer.kind === 'accepted' ? [answer.callId] : []));
}

/** Whether every answer said that nothing was kept. */
export function wasRefusedForGood({ attempts }: Pick<Promised, 'attempts'>): boolean {
  return attempts.every(({ answer }) => answer.kind === 'refused' && KEPT_NOTHING.has(answer.code));
}

const KEPT_NOTHING: ReadonlySet<string> = new Set([
  'service_unavailable',
  'insufficient_funds',
  'capacity_exceeded',
  'no_trunk_available',
  'destination_not_allowed',
]);
