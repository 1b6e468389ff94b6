import type { CallId } from '@outdial/contracts';
import type { World } from '../world/world.ts';
import type { GateView } from './gate-view.ts';
import { checkAttempts } from './attempts.ts';
import { contactsLeft, mayDial } from './campaign-view.ts';
import type { CallView, PostgresView, ScheduleView } from './postgres-view.ts';

/** Longer than a turn, and than any wait between two turns of an account with a due call. */
const OVERLOOKED_MS = 70_000;

/** The time after a claim in which a dial may still begin. */
const DIALS_WITHIN_MS = 1_000;

interface DueLane {
  readonly what: string;
  readonly account: string;
  readonly dueMs: number;
}

/** The promises about calls that are dialed later, at every moment. */
export class ScheduleCheck {
  readonly #world: Omit<World, 'check'>;
  /** By the call before, the retry that was dialed. */
  readonly #retries = new Map<CallId, CallId>();
  /** By campaign, contact and attempt, the call that was dialed. */
  readonly #attempts = new Map<string, CallId>();

  constructor(world: Omit<World, 'check'>) {
    this.#world = world;
  }

  /** At the moment of a dial. A retry is one call, also if the commit that made it was lost. */
  dialed({ id, schedule }: CallView, invitedAtMs: number): void {
    if (schedule === null) return;
    const { promises } = this.#world;
    if (invitedAtMs < (schedule.forMs ?? 0)) promises.violate('not dialed before its time', id);
    if (invitedAtMs > schedule.giveUpMs + DIALS_WITHIN_MS) promises.violate('not dialed once it is given up', id);
    if (schedule.campaign !== null) {
      this.#ofContact(id, schedule);
      this.#world.campaigns.watch.dialed(schedule.campaign, invitedAtMs);
    }
    if (schedule.retryOf === null) return;
    const first = this.#retries.get(schedule.retryOf) ?? id;
    this.#retries.set(schedule.retryOf, first);
    if (first !== id) promises.violate('a call is retried by one call', `${schedule.retryOf}: by ${first} and ${id}`);
  }

  /** A contact's attempt is one call, also if the commit that made it was lost. */
  #ofContact(id: CallId, { campaign, contact, attempt }: ScheduleView): void {
    const name = `${campaign}/${contact}/${attempt}`;
    const first = this.#attempts.get(name) ?? id;
    this.#attempts.set(name, first);
    if (first !== id) this.#world.promises.violate('an attempt is one call', `${name}: ${first} and ${id}`);
  }

  look(postgres: PostgresView, gate: GateView): void {
    const { profile, promises } = this.#world;
    if (profile.later === null && profile.campaigns === null) return;
    const used = new Set(postgres.used);
    for (const call of postgres.calls) {
      if (call.status === 'scheduled') this.#holdsNothing(call, gate, used);
      else if (call.schedule?.isWaiting === true) promises.violate('only a scheduled call waits', call.id);
      if (call.schedule?.retryOf || call.schedule?.campaign)
        promises.retries.set(call.id, { id: call.id, accountId: call.account });
    }
    checkAttempts(postgres.calls, promises);
    this.#givenBack(postgres);
    this.#turns(postgres);
  }

  /** A contact whose call was dialed is called again only if that was asked for. */
  #givenBack({ calls }: PostgresView): void {
    const { network, promises } = this.#world;
    const givenBackTo = new Map(calls.map(({ id, schedule }) => [id, schedule?.givenBack ?? 0]));
    for (const { schedule } of calls) {
      const before = schedule?.retryOf;
      if (!before || schedule.givenBack <= (givenBackTo.get(before) ?? 0)) continue;
      if (network.invites.some(({ callId }) => callId === before))
        promises.violate('a call that is returned was not dialed', before);
    }
  }

  /** But for a reservation that is no call's yet: it may become this call's, or be given up. */
  #holdsNothing(
    { id, reservation, hold, driver, schedule }: CallView,
    gate: GateView,
    used: ReadonlySet<string>,
  ): void {
    const { promises, redis } = this.#world;
    const found: string[] = [];
    if (reservation !== null) found.push(`the reservation ${reservation}`);
    if (hold !== 0) found.push(`${hold} micros`);
    if (driver !== null) found.push('models');
    if (schedule?.isWaiting !== true) found.push('no place among those that wait');
    const held = gate.current ? gate.holds.get(id) : undefined;
    if (held && (used.has(held.reservation) || !promises.askedMicros.has(held.reservation)))
      found.push(`a hold that nothing gives up: ${held.reservation}`);
    if (redis.main.jobs.has(id)) found.push('a job');
    if (found.length > 0) promises.violate('a scheduled call holds nothing', `${id} has ${found.join(', ')}`);
  }

  /** The statement that schedules a call makes its account due: no look over all calls has to find it. */
  #turns({ calls, turns }: PostgresView): void {
    const { clock, promises } = this.#world;
    const turnOf = new Map(turns.map((turn) => [turn.account, turn]));
    for (const { what, account, dueMs } of [...this.#waiting(calls), ...this.#stock()]) {
      const turn = turnOf.get(account);
      if (turn && (turn.heldUntilMs ?? 0) > clock.nowMs) continue;
      const latestMs = Math.max(dueMs, clock.nowMs) + OVERLOOKED_MS;
      if ((turn?.dueMs ?? Infinity) > latestMs)
        promises.violate('no turn is missed', `${what} is due at ${dueMs}, its account at ${turn?.dueMs ?? 'no time'}`);
    }
  }

  /** Once a call is given up, or while its campaign does not run, no turn takes it. */
  #waiting(calls: readonly CallView[]): readonly DueLane[] {
    const { clock, campaigns } = this.#world;
    const calling = new Set(campaigns.views.filter((one) => mayDial(one, clock.nowMs)).map(({ id }) => String(id)));
    return calls.flatMap(({ id, account, status, schedule }) => {
      if (status !== 'scheduled' || schedule === null || schedule.giveUpMs <= clock.nowMs) return [];
      if (schedule.campaign !== null && !calling.has(schedule.campaign)) return [];
      return [{ what: id, account, dueMs: schedule.dueMs }];
    });
  }

  /** Contacts without a call are due at once. */
  #stock(): readonly DueLane[] {
    const { clock, campaigns } = this.#world;
    return campaigns.views
      .filter((one) => mayDial(one, clock.nowMs) && contactsLeft(one).length > 0)
      .map(({ id, account }) => ({ what: `campaign ${id}`, account, dueMs: clock.nowMs }));
  }
}
