import type { AcceptCallOutcome, Call } from '@outdial/calls';
import type { AccountId, CallId } from '@outdial/contracts';

export interface Violation {
  /** Which promise: the same word for every way in which it can be broken. */
  readonly promise: string;
  readonly detail: string;
}

interface Answer {
  readonly reservationId: string | null;
  readonly key: string | null;
  readonly outcome: AcceptCallOutcome;
}

/** What was said to clients, and asked of the gate: kept apart from everything that may crash. */
export class Promises {
  readonly violations: Violation[] = [];
  /** Calls that a client was told of. */
  readonly accepted = new Map<CallId, { readonly id: CallId; readonly accountId: AccountId }>();
  /** Attempts of which a client was told that nothing is kept. */
  readonly nothingKept = new Set<string>();
  /** The greatest hold that was ever asked for each reservation, in micros. */
  readonly askedMicros = new Map<string, number>();
  readonly answers = new Map<AcceptCallOutcome['kind'], number>();
  readonly #callOfKey = new Map<string, string>();

  #asked = 0;

  /** Counts what clients ask for: keys and top-ups are named after it. */
  count(): number {
    this.#asked += 1;
    return this.#asked;
  }

  violate(promise: string, detail: string): void {
    this.violations.push({ promise, detail });
  }

  answered({ reservationId, key, outcome }: Answer): void {
    this.answers.set(outcome.kind, (this.answers.get(outcome.kind) ?? 0) + 1);
    if (outcome.kind === 'accepted' || outcome.kind === 'replayed') this.#told(outcome.call, key);
    else if (outcome.kind !== 'outcome_unknown' && reservationId !== null) this.nothingKept.add(reservationId);
  }

  #told({ id, accountId }: Pick<Call, 'id' | 'accountId'>, key: string | null): void {
    this.accepted.set(id, { id, accountId });
    if (key === null) return;
    const name = `${accountId}/${key}`;
    const first = this.#callOfKey.get(name) ?? id;
    this.#callOfKey.set(name, first);
    if (first !== id) this.violate('one call per key', `${name} is ${first} and ${id}`);
  }

  /** Every script that is sent; a reservation and an enlargement name the hold that they ask for. */
  asked(what: string, parameters: readonly string[]): void {
    if (!/^(?:Reserves|Raises a hold)/.test(what)) return;
    // Three keys; then the call, its account, the reservation, the amount, of each attempt.
    for (let first = 3; first < parameters.length; first += 4) {
      const [reservationId, amount] = parameters.slice(first + 2, first + 4);
      if (reservationId === undefined) return;
      this.askedMicros.set(reservationId, Math.max(this.askedMicros.get(reservationId) ?? 0, Number(amount)));
    }
  }
}
