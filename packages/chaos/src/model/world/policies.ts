import type { AccountId, CallId, CallingPolicySettings } from '@outdial/contracts';
import type { PoliciesInForce } from '@outdial/policies';
import type { SimulatedPostgres } from '../stores/simulated-postgres.ts';
import type { WorldClock } from './clock.ts';
import type { Process } from './process.ts';

/** Whose policy it is; null: the operator's floor. */
export type PolicyOwner = AccountId | null;

/** In force until the owner's next one was saved. */
export interface SavedPolicy {
  readonly owner: PolicyOwner;
  /** Null: the floor is removed. */
  readonly settings: CallingPolicySettings | null;
  readonly fromMs: number;
  untilMs: number;
}

/** What a process keeps in memory is at most this old. */
export const KNOWN_FOR_MS = 1_000;

/** What was saved, and when. Outside everything that may crash. */
export class Policies {
  readonly saved: SavedPolicy[] = [];
  /** Calls that an earlier version accepted, which did not know where a callee is. */
  readonly withoutZones = new Set<CallId>();
  readonly #clock: WorldClock;
  readonly #postgres: SimulatedPostgres;
  #parity = 0;
  /** A process keeps what was computed of the objects. */
  readonly #known = new Map<string, PoliciesInForce>();

  constructor(clock: WorldClock, postgres: SimulatedPostgres) {
    this.#clock = clock;
    this.#postgres = postgres;
  }

  async save(owner: PolicyOwner, settings: CallingPolicySettings | null): Promise<void> {
    const { nowMs } = this.#clock;
    await this.#postgres.savePolicy(owner, settings);
    const before = this.saved.findLast((policy) => policy.owner === owner);
    if (before) before.untilMs = nowMs;
    this.saved.push({ owner, settings, fromMs: nowMs, untilMs: Infinity });
  }

  async forgetZones(pick: number): Promise<void> {
    const callId = await this.#postgres.forgetZones(pick);
    if (callId !== null) this.withoutZones.add(callId);
  }

  inForce(owner: PolicyOwner, atMs: number): CallingPolicySettings | null {
    return this.saved.findLast((policy) => policy.owner === owner && policy.fromMs <= atMs)?.settings ?? null;
  }

  /** As a process has read them: every other time as late as it may have. */
  known(process: Process, accountId: AccountId): PoliciesInForce {
    this.#parity = 1 - this.#parity;
    const atMs = this.#clock.nowMs - this.#parity * (KNOWN_FOR_MS - 1);
    const policies = { policy: this.inForce(accountId, atMs), floor: this.inForce(null, atMs) };
    const name = `${process.name}/${JSON.stringify(policies)}`;
    const known = this.#known.get(name) ?? policies;
    this.#known.set(name, known);
    return known;
  }
}
