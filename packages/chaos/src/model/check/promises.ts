import type { AcceptCallOutcome, Call } from '@outdial/calls';
import type { AccountId, CallId, E164 } from '@outdial/contracts';
import { NoAnswer } from '../world/wire.ts';

export interface Violation {
  /** The promise, named the same for every way to break it. */
  readonly promise: string;
  readonly detail: string;
}

interface Answer {
  readonly reservationId: string | null;
  readonly key: string | null;
  /** Of a request without a key, whose call has an id that no other request gives. */
  readonly callId: CallId | null;
  /** The request is for a call that is dialed later: Redis has no part in it. */
  readonly isForLater: boolean;
  readonly outcome: AcceptCallOutcome;
}

/** The number of the request was said to be on a do-not-call list. */
export interface RefusedNumber {
  readonly account: AccountId;
  readonly callee: E164;
  readonly key: string | null;
  /** When it was asked for, and when it was answered. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** The calling policy was said to forbid the call. */
export interface RefusedByPolicy extends RefusedNumber {
  readonly reason: 'outside_calling_window' | 'frequency_capped';
  /** The time zone that the request named. */
  readonly zone: string | null;
  /** Null: it was to be dialed at once. */
  readonly scheduledForMs: number | null;
}

export interface KnownCall {
  readonly id: CallId;
  readonly accountId: AccountId;
}

/** What clients received, and what the gate was asked: outside everything that may crash. */
export class Promises {
  readonly violations: Violation[] = [];
  /** Calls that a client received a 201 for. */
  readonly accepted = new Map<CallId, KnownCall>();
  /** Calls that retry others, which a client reads of. */
  readonly retries = new Map<CallId, KnownCall>();
  /** Reservations and calls of attempts whose client received a rejection: nothing is stored. */
  readonly nothingKept = new Set<string>();
  /** To be judged, and forgotten then. */
  readonly refused: RefusedNumber[] = [];
  readonly refusedByPolicy: RefusedByPolicy[] = [];
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

  answered({ reservationId, key, callId, isForLater, outcome }: Answer): void {
    if (isForLater && outcome.kind === 'service_unavailable' && isOfRedis(outcome.cause))
      this.violate('scheduling needs Postgres alone', String(outcome.cause));
    this.answers.set(outcome.kind, (this.answers.get(outcome.kind) ?? 0) + 1);
    if (outcome.kind === 'accepted' || outcome.kind === 'replayed') this.#recordAccepted(outcome.call, key);
    else if (outcome.kind !== 'outcome_unknown')
      for (const id of [reservationId, callId]) if (id !== null) this.nothingKept.add(id);
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

function isOfRedis(cause: unknown): boolean {
  if (cause instanceof AggregateError) return cause.errors.some(isOfRedis);
  return cause instanceof NoAnswer && cause.target === 'redis';
}
