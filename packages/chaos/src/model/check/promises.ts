import type { AcceptCallOutcome, Call } from '@outdial/calls';
import type { AccountId, CallId } from '@outdial/contracts';

export interface Violation {
  /** The promise, named the same for every way to break it. */
  readonly promise: string;
  readonly detail: string;
}

interface Answer {
  readonly reservationId: string | null;
  readonly key: string | null;
  readonly outcome: AcceptCallOutcome;
}

/** What clients received, and what the gate was asked: outside everything that may crash. */
export class Promises {
  readonly violations: Violation[] = [];
  /** Calls that a client received a 201 for. */
  readonly accepted = new Map<CallId, { readonly id: CallId; readonly accountId: AccountId }>();
  /** Attempts whose client received a rejection: nothing is stored. */
  readonly nothingKept = new Set<string>();
  /** The greatest hold that was requested for each reservation, in micros. */
  readonly askedMicros = new Map<string, number>();
  readonly answers = new Map<AcceptCallOutcome['kind'], number>();
  readonly #callOfKey = new Map<string, string>();

  #asked = 0;

  /** Counts client requests: keys and top-ups are named after it. */
  count(): number {
    this.#asked += 1;
    return this.#asked;
  }

  violate(promise: string, detail: string): void {
    this.violations.push({ promise, detail });
  }

  answered({ reservationId, key, outcome }: Answer): void {
    this.answers.set(outcome.kind, (this.answers.get(outcome.kind) ?? 0) + 1);
    if (outcome.kind === 'accepted' || outcome.kind === 'replayed') this.#recordAccepted(outcome.call, key);
    else if (outcome.kind !== 'outcome_unknown' && reservationId !== null) this.nothingKept.add(reservationId);
  }

  #recordAccepted({ id, accountId }: Pick<Call, 'id' | 'accountId'>, key: string | null): void {
    this.accepted.set(id, { id, accountId });
    if (key === null) return;
    const name = `${accountId}/${key}`;
    const first = this.#callOfKey.get(name) ?? id;
    this.#callOfKey.set(name, first);
    if (first !== id) this.violate('one call per key', `${name} is ${first} and ${id}`);
  }

  /** Called for every script that is sent; a reservation and an enlargement contain the requested hold. */
  asked(what: string, parameters: readonly string[]): void {
    if (!/^(?:Reserves|Raises a hold)/.test(what)) return;
    // Three keys; then call, account, reservation and amount of each attempt.
    for (let first = 3; first < parameters.length; first += 4) {
      const [reservationId, amount] = parameters.slice(first + 2, first + 4);
      if (reservationId === undefined) return;
      this.askedMicros.set(reservationId, Math.max(this.askedMicros.get(reservationId) ?? 0, Number(amount)));
    }
  }
}
