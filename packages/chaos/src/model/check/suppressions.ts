import type { HeardOptOut } from '../world/opt-outs.ts';
import type { World } from '../world/world.ts';
import type { CallView, PostgresView, SuppressionView } from './postgres-view.ts';

/** The time after the commit of an entry in which a dial may still begin. */
const STOPS_WITHIN_MS = 1_000;

type Telephone = Pick<SuppressionView, 'account' | 'callee'>;

/** The promises about do-not-call lists. Rows are never deleted, so that the whole history of a list can be read. */
export class SuppressionCheck {
  readonly #world: Omit<World, 'check'>;
  readonly #judged = new Set<string>();

  constructor(world: Omit<World, 'check'>) {
    this.#world = world;
  }

  /** At the moment of a dial. */
  dialed(call: CallView, invitedAtMs: number, { suppressions }: PostgresView): void {
    const late = suppressions.find(
      (entry) => isFor(entry, call) && entry.removedMs === null && invitedAtMs > entry.createdMs + STOPS_WITHIN_MS,
    );
    if (late)
      this.#violate('no dial to a suppressed number', `${call.id} ${invitedAtMs - late.createdMs} ms after the entry`);
  }

  look(postgres: PostgresView): void {
    for (const call of postgres.calls) {
      this.#judgeOnce(`accepted ${call.id}`, () => this.#accepted(call, postgres));
      if (call.queuedMs !== null) this.#judgeOnce(`admitted ${call.id}`, () => this.#admitted(call, postgres));
      if (call.reason === 'suppressed') this.#judgeOnce(`ended ${call.id}`, () => this.#ended(call, postgres));
    }
    this.#refused(postgres);
    this.#optOuts(postgres);
  }

  /**
   * Once everything that waited has gone on, with Postgres in reach: what a process has heard in a call that it still drives
   * is stored, not only with the end of the call.
   */
  afterRound(startedMs: number, postgres: PostgresView): void {
    const { optOuts, wire } = this.#world;
    const isQuiet = !wire.down.has('postgres') && wire.sent.length === 0 && wire.answered.length === 0;
    if (!isQuiet) return;
    for (const heard of optOuts.heard) {
      const { callId, process, atMs, epoch } = heard;
      const call = postgres.calls.find(({ id }) => id === callId);
      const isDriven = call?.status === 'in_progress' && call.epoch === epoch && process.state === 'running';
      if (isDriven && atMs <= startedMs && !isListed(call, heard, postgres))
        this.#violate('an opt-out is stored during the call', callId);
    }
  }

  /** What a process that still runs has heard. */
  atRest(postgres: PostgresView): void {
    for (const heard of this.#world.optOuts.heard) {
      const { callId, process } = heard;
      const call = postgres.calls.find(({ id }) => id === callId);
      if (process.state === 'running' && call && !isListed(call, heard, postgres))
        this.#violate('no opt-out is lost', `${callId}: ${process.name} heard it, and the call ended ${call.reason}`);
    }
  }

  /** A number that was on a list before is not accepted. A retry is no request: it ends when it is admitted. */
  #accepted(call: CallView, { suppressions }: PostgresView): void {
    if ((call.schedule?.attempt ?? 1) > 1) return;
    if (suppressions.some((entry) => isFor(entry, call) && wasInForce(entry, call.createdMs)))
      this.#violate('no suppressed number is accepted', call.id);
  }

  #admitted(call: CallView, { suppressions }: PostgresView): void {
    if (suppressions.some((entry) => isFor(entry, call) && wasInForce(entry, call.queuedMs ?? 0)))
      this.#violate('no suppressed number is admitted', call.id);
  }

  #ended(call: CallView, postgres: PostgresView): void {
    const { clock, network } = this.#world;
    if (network.invites.some(({ callId }) => callId === call.id))
      this.#violate('a suppressed call was not dialed', call.id);
    if (call.cost !== 0) this.#violate('a suppressed call costs nothing', `${call.id}: ${call.cost}`);
    // Its driver counts from the claim's answer, which may have been late: the end is said to be earlier than it was.
    if (!wasListed(call, { fromMs: call.createdMs, toMs: clock.nowMs }, postgres))
      this.#violate('only a suppressed number stops a call', call.id);
  }

  #refused(postgres: PostgresView): void {
    const { refused } = this.#world.promises;
    for (const request of refused.splice(0)) {
      const { account, key, toMs } = request;
      if (!wasListed(request, request, postgres))
        this.#violate('only a suppressed number is refused', `${request.callee} of ${account}`);
      const kept = postgres.calls.find((call) => key !== null && call.key === key && call.account === account);
      if (kept && kept.createdMs <= toMs) this.#violate('nothing kept', `${key} was refused, and is ${kept.id}`);
    }
  }

  #optOuts(postgres: PostgresView): void {
    const { optOuts } = this.#world;
    for (const heard of optOuts.heard) {
      const { callId, epoch } = heard;
      const call = postgres.calls.find(({ id }) => id === callId);
      if (!call) continue;
      const isKnown = optOuts.confirmed.has(callId);
      const isSettledByDriver = call.status === 'ended' && call.epoch === epoch;
      if ((isKnown || isSettledByDriver) && !isListed(call, heard, postgres))
        this.#violate('no opt-out is lost', callId);
    }
  }

  #judgeOnce(what: string, judge: () => void): void {
    if (this.#judged.has(what)) return;
    this.#judged.add(what);
    judge();
  }

  #violate(promise: string, detail: string): void {
    this.#world.promises.violate(promise, detail);
  }
}

function isFor(entry: SuppressionView, { account, callee }: Telephone): boolean {
  return entry.callee === callee && (entry.account === null || entry.account === account);
}

/** Before this moment, and still then. What happened in the same millisecond may have come first. */
function wasInForce({ createdMs, removedMs }: SuppressionView, atMs: number): boolean {
  return createdMs < atMs && (removedMs === null || removedMs > atMs);
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** At some moment of it. */
function wasListed(telephone: Telephone, { fromMs, toMs }: Span, { suppressions }: PostgresView): boolean {
  return suppressions.some(
    (entry) =>
      isFor(entry, telephone) && entry.createdMs <= toMs && (entry.removedMs === null || entry.removedMs >= fromMs),
  );
}

/** Whether the callee was on the list when it said its wish, or since; an operator may have lifted it then. */
function isListed(
  { account, callee }: Telephone,
  { atMs }: Pick<HeardOptOut, 'atMs'>,
  { suppressions }: PostgresView,
): boolean {
  return suppressions.some(
    (entry) =>
      entry.kind === 'opt_out' &&
      entry.account === account &&
      entry.callee === callee &&
      (entry.removedMs === null || entry.removedMs >= atMs),
  );
}
