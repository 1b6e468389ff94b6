import { CALL_STATES } from '@outdial/calls';
import { CALL_STATUSES } from '@outdial/contracts';
import type { World } from '../world/world.ts';
import { LineCheck } from './lines.ts';
import { viewGate, type GateView } from './gate-view.ts';
import type { Moment } from './moment.ts';
import { UsageCheck } from './usage.ts';
import { PolicyCheck } from './policies.ts';
import { SuppressionCheck } from './suppressions.ts';
import { heldOf, viewPostgres, type CallView, type PostgresView } from './postgres-view.ts';
import { ScheduleCheck } from './schedules.ts';
import { TransferCheck } from './transfers.ts';

/** The time after a pause in which a dial may still begin. */
const PAUSE_WITHIN_MS = 1_000;

/** Holds at every moment, whatever crashes. Remembers the last moment, since some promises are about transitions. */
export class AlwaysCheck {
  readonly #world: Omit<World, 'check'>;
  readonly #before = new Map<string, CallView>();
  readonly #usage: UsageCheck;
  #invitesSeen = 0;
  readonly #lines: LineCheck;
  readonly #schedules: ScheduleCheck;
  readonly #suppressions: SuppressionCheck;
  readonly #policies: PolicyCheck;
  readonly #transfers: TransferCheck;

  constructor(world: Omit<World, 'check'>) {
    this.#world = world;
    this.#usage = new UsageCheck(world);
    this.#lines = new LineCheck(world);
    this.#schedules = new ScheduleCheck(world);
    this.#suppressions = new SuppressionCheck(world);
    this.#policies = new PolicyCheck(world);
    this.#transfers = new TransferCheck(world);
  }

  async look(): Promise<Moment> {
    const world = this.#world;
    const postgres = await viewPostgres(world.postgres.client);
    const gate = await viewGate(world.redis.main, postgres);
    this.#money(postgres);
    this.#capacity(postgres);
    await this.#usage.look();
    this.#dials(postgres);
    if (!world.profile.losesCommits) {
      this.#history(postgres);
      this.#legs(postgres);
      this.#answers(postgres);
      this.#lines.look(postgres, gate);
      this.#schedules.look(postgres, gate);
      this.#suppressions.look(postgres);
      this.#policies.look(postgres);
      this.#transfers.look(postgres);
    }
    if (gate.current) this.#gate(postgres, gate);
    return { postgres, gate };
  }

  async afterRound(startedMs: number): Promise<Moment> {
    const moment = await this.look();
    this.#suppressions.afterRound(startedMs, moment.postgres);
    return moment;
  }

  atRest({ postgres }: Moment): void {
    if (!this.#world.profile.losesCommits) this.#suppressions.atRest(postgres);
  }

  #money(view: PostgresView): void {
    const { calls, accounts } = view;
    for (const { id, balance, ledger } of accounts) {
      const held = sum(openHolds(view, id));
      if (balance !== ledger) this.#world.promises.violate('balance is the ledger', `${balance}, ledger ${ledger}`);
      if (balance < held) this.#world.promises.violate('never overspent', `balance ${balance}, held ${held}`);
    }
    for (const { id, status, cost, hold, charges } of calls) {
      if (cost > hold) this.#world.promises.violate('cost within the hold', `${id}: ${cost} of ${hold}`);
      if (charges !== (status === 'ended' ? 1 : 0))
        this.#world.promises.violate('settled once', `${id}: ${charges} charges`);
    }
  }

  /** A second leg takes a slot, as a call does. */
  #capacity(view: PostgresView): void {
    const { accounts, systemCapacity } = view;
    const open = heldOf(view);
    if (open.length > systemCapacity) this.#world.promises.violate('capacity', `${open.length} calls of the system`);
    for (const { id, capacity } of accounts) {
      const own = open.filter(({ account }) => account === id).length;
      if (own > capacity) this.#world.promises.violate('capacity', `${own} calls of an account`);
    }
  }

  /** Checks calls that were dialed since the last check; nothing else has happened in that tick. */
  #dials(view: PostgresView): void {
    const { calls } = view;
    const { network, clock, profile, postgres } = this.#world;
    for (const { callId, owner, invitedAtMs } of network.invites.slice(this.#invitesSeen)) {
      const dials = network.invites.filter((invite) => invite.callId === callId).length;
      if (dials > 1) this.#world.promises.violate('dialled once', `${callId}: ${dials} times`);
      const leg = view.legs.find(({ id }) => id === callId);
      const call = calls.find(({ id }) => id === (leg?.call ?? callId));
      if (call && !leg) {
        this.#schedules.dialed(call, invitedAtMs);
        this.#suppressions.dialed(call, invitedAtMs, view);
        if (profile.caps !== null) this.#policies.dialed(call, { invitedAtMs });
      }
      if (invitedAtMs > postgres.pausedAtMs + PAUSE_WITHIN_MS)
        this.#world.promises.violate('no dial while paused', callId);
      if (profile.losesCommits) continue;
      const hasRight =
        call !== undefined &&
        CALL_STATES.phases[call.status] === 'driven' &&
        call.worker === owner.name &&
        (call.leaseEndsMs ?? 0) > invitedAtMs &&
        (leg === undefined ? (call.claimedMs ?? Infinity) <= call.expiresMs : leg.endedMs === null);
      if (!hasRight)
        this.#world.promises.violate('dialed with the right to', JSON.stringify({ call, at: clock.nowMs }));
    }
    this.#invitesSeen = network.invites.length;
    const channels = profile.channels ?? Infinity;
    if (!profile.losesCommits && network.legs.length > channels) {
      this.#world.promises.violate('channels', `${network.legs.length} legs on ${channels}`);
    }
  }

  /** A call only moves forward, and an ended one never changes. */
  #history({ calls }: PostgresView): void {
    for (const call of calls) {
      const before = this.#before.get(call.id);
      this.#before.set(call.id, call);
      if (!before) continue;
      const wentBack = CALL_STATUSES.indexOf(call.status) < CALL_STATUSES.indexOf(before.status);
      if (wentBack)
        this.#world.promises.violate('status moves forward', `${call.id}: ${before.status} → ${call.status}`);
      if (before.status === 'ended' && (before.cost !== call.cost || before.reason !== call.reason)) {
        this.#world.promises.violate('settled once', `${call.id} was changed after its end`);
      }
      if (before.reservation !== null && call.reservation !== before.reservation)
        this.#world.promises.violate('status moves forward', `${call.id}: another reservation`);
      if (call.epoch < before.epoch || call.hold < before.hold) {
        this.#world.promises.violate('status moves forward', `${call.id}: epoch or hold went back`);
      }
    }
  }

  #legs({ calls, legs }: PostgresView): void {
    const over = [...calls.filter(({ status }) => status === 'ended'), ...legs.filter(({ isSettled }) => isSettled)];
    for (const { id } of over)
      if (this.#world.network.isUp(id)) this.#world.promises.violate('no leg outlives its call', id);
  }

  #answers({ calls, used }: PostgresView): void {
    const known = new Set(calls.map(({ id }) => id));
    for (const id of this.#world.promises.accepted.keys())
      if (!known.has(id)) this.#world.promises.violate('a 201 survives', id);
    for (const id of used)
      if (this.#world.promises.nothingKept.has(id)) this.#world.promises.violate('nothing kept', id);
    for (const id of known)
      if (this.#world.promises.nothingKept.has(id)) this.#world.promises.violate('nothing kept', id);
  }

  #gate(view: PostgresView, gate: GateView): void {
    const { accounts } = view;
    for (const { id, reservation, hold } of heldOf(view)) {
      const held = gate.holds.get(id);
      if (held?.reservation !== reservation) this.#world.promises.violate('an open call is held', id);
      else if (held.hold < hold)
        this.#world.promises.violate('the gate holds no less', `${id}: ${held.hold} of ${hold}`);
    }
    for (const { reservation, hold } of gate.holds.values()) {
      const asked = this.#world.promises.askedMicros.get(reservation);
      if (asked !== undefined && hold > asked) {
        this.#world.promises.violate('the gate holds no more than was asked', `${hold} of ${asked}`);
      }
    }
    for (const [id, { balance, held, openCalls }] of gate.accounts) {
      const own = [...gate.holds.values()].filter(({ account }) => account === id);
      const total = sum(own.map(({ hold }) => hold));
      if (held !== total || openCalls !== own.length)
        this.#world.promises.violate('sums of the gate', `${held} for ${total}`);
      const account = accounts.find((one) => one.id === id);
      const available = (account?.balance ?? 0) - sum(openHolds(view, id));
      if (balance - held > available) {
        this.#world.promises.violate('the gate gives away no more than there is', `${balance - held} of ${available}`);
      }
    }
  }
}

function openHolds(view: PostgresView, account: string): readonly number[] {
  return heldOf(view).flatMap((one) => (one.account === account ? [one.hold] : []));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
