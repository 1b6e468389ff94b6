import type { CallId } from '@outdial/contracts';
import { KNOWN_FOR_MS } from '../world/policies.ts';
import type { FarLeg } from '../world/telephone-network.ts';
import type { World } from '../world/world.ts';
import { hoursDuring, policiesDuring, type Span, type Whereabouts } from './calling-hours.ts';
import type { CallView, PostgresView } from './postgres-view.ts';
import type { RefusedByPolicy } from './promises.ts';

/** The time after the commit of a policy in which a dial may still begin. */
const STOPS_WITHIN_MS = 1_000;
/** Hours that close within this time are closed for a call that is to be admitted. */
const CLOSING_MS = 5_000;
const HOUR_MS = 3_600_000;

interface Dialed {
  readonly callId: CallId;
  readonly account: string;
  readonly callee: string;
  readonly atMs: number;
}

/** The promises about calling policies, by the telephone network's own journal. */
export class PolicyCheck {
  readonly #world: Omit<World, 'check'>;
  readonly #dialed: Dialed[] = [];
  readonly #ended = new Set<string>();

  constructor(world: Omit<World, 'check'>) {
    this.#world = world;
  }

  /** At the moment of a dial. */
  dialed(call: CallView, { invitedAtMs: atMs }: Pick<FarLeg, 'invitedAtMs'>): void {
    const { policies } = this.#world;
    const span = { fromMs: atMs - STOPS_WITHIN_MS + 1, toMs: atMs };
    if (!hoursDuring(policies.saved, this.#whereabouts(call), span).wasOpen)
      this.#violate('no dial outside the calling hours', call.id);
    this.#dialed.push({ callId: call.id, account: call.account, callee: call.callee, atMs });
    this.#capped(call, span);
  }

  look(postgres: PostgresView): void {
    if (this.#world.profile.caps === null) return;
    for (const call of postgres.calls) {
      if (call.status === 'ended' && !this.#ended.has(call.id)) this.#judgeEnd(call, postgres);
    }
    for (const refused of this.#world.promises.refusedByPolicy.splice(0)) this.#judgeRefusal(refused, postgres);
    for (const { account, callee, dials } of postgres.dialCounts) {
      const granted = grantedTo(postgres, { account, callee }).length;
      if (dials > granted) this.#violate('only dials are counted', `${callee}: ${dials} of ${granted}`);
    }
  }

  /**
   * Of a cap that was in force throughout the time in which this dial was granted. The dials before it count if they were
   * granted while any cap was in force.
   */
  #capped({ id, account, callee }: CallView, granted: Span): void {
    const during = policiesDuring(this.#world.policies.saved, account, granted).map(({ policies }) =>
      policies.flatMap(({ caps }) => caps),
    );
    const sinceMs = this.#countedSince(account) + STOPS_WITHIN_MS;
    for (const { hours, max } of during[0] ?? []) {
      const isThroughout = during.every((caps) => caps.some((cap) => cap.hours === hours && cap.max <= max));
      const fromMs = Math.max(sinceMs, granted.toMs - hours * HOUR_MS + STOPS_WITHIN_MS);
      const calls = this.#dialed.filter(
        (one) => one.account === account && one.callee === callee && one.atMs >= fromMs,
      );
      const count = new Set([...calls.map(({ callId }) => callId), id]).size;
      if (isThroughout && count > max)
        this.#violate(
          'no number is dialed more often than its cap',
          `${callee}: ${count} of ${max} in ${hours} h, ${id}`,
        );
    }
  }

  /** Since when each of the account's dials is counted. */
  #countedSince(account: string): number {
    const { clock, policies } = this.#world;
    const during = policiesDuring(policies.saved, account, { fromMs: 0, toMs: clock.nowMs });
    const last = during.findLastIndex((one) => one.policies.every(({ caps }) => caps.length === 0));
    return last < 0 ? 0 : (during[last]?.toMs ?? 0);
  }

  #judgeEnd(call: CallView, postgres: PostgresView): void {
    this.#ended.add(call.id);
    const { reason } = call;
    if (reason !== 'outside_calling_window' && reason !== 'frequency_capped') return;
    const { network, clock } = this.#world;
    if (network.invites.some(({ callId }) => callId === call.id))
      this.#violate('a call that a policy stops was not dialed', call.id);
    if (call.cost !== 0) this.#violate('a call that a policy stops costs nothing', `${call.id}: ${call.cost}`);
    this.#judgeStop(this.#whereabouts(call), call.id, reason, { fromMs: call.createdMs, toMs: clock.nowMs }, postgres);
  }

  #judgeRefusal(refused: RefusedByPolicy, postgres: PostgresView): void {
    const { account, callee, key, zone, reason, fromMs, toMs, scheduledForMs } = refused;
    const span = { fromMs, toMs: Math.max(toMs, scheduledForMs ?? 0) };
    this.#judgeStop(
      { account, callee, zone, isUnknown: false },
      `a request with the key ${key}`,
      reason,
      span,
      postgres,
    );
  }

  #judgeStop(
    callee: Whereabouts,
    what: string,
    reason: RefusedByPolicy['reason'],
    { fromMs, toMs }: Span,
    postgres: PostgresView,
  ): void {
    const { policies } = this.#world;
    const span = { fromMs: fromMs - KNOWN_FOR_MS, toMs: toMs + CLOSING_MS };
    if (reason === 'outside_calling_window') {
      if (!hoursDuring(policies.saved, callee, span).wasClosed)
        this.#violate('only closed hours stop a call', `${what}: ${callee.callee}`);
      return;
    }
    const caps = policiesDuring(policies.saved, callee.account, span).flatMap((one) =>
      one.policies.flatMap((p) => p.caps),
    );
    const least = Math.min(...caps.map(({ max }) => max));
    const granted = grantedTo(postgres, callee).filter(({ id }) => id !== what).length;
    if (granted < least) this.#violate('only a reached cap stops a call', `${what}: ${granted} dials of ${least}`);
  }

  #whereabouts({ id, account, callee, zone }: CallView): Whereabouts {
    return { account, callee, zone, isUnknown: this.#world.policies.withoutZones.has(id) };
  }

  #violate(promise: string, detail: string): void {
    this.#world.promises.violate(promise, detail);
  }
}

/** The calls to a number that a worker was allowed to dial. */
function grantedTo({ calls }: PostgresView, number: Pick<Whereabouts, 'account' | 'callee'>): readonly CallView[] {
  return calls.filter(
    ({ account, callee, claimedMs, epoch }) =>
      account === number.account && callee === number.callee && claimedMs !== null && epoch > 0,
  );
}
