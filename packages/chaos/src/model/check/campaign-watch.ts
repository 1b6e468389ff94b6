import type { CampaignState } from '@outdial/contracts';
import type { SentStatement } from '../stores/database-link.ts';
import type { SimulatedPostgres } from '../stores/simulated-postgres.ts';
import type { WorldClock } from '../world/clock.ts';
import { checkCampaignAttempts, checkCounts, checkCursor, faultOfCompletion } from './campaign-contacts.ts';
import { CampaignLimits } from './campaign-limits.ts';
import {
  isCalling,
  isOpen,
  isOver,
  mayDial,
  viewCampaigns,
  type CampaignCallView,
  type CampaignView,
} from './campaign-view.ts';
import type { Promises } from './promises.ts';
import { givenBackMs, nextAttemptMs } from './attempts.ts';

const MOVES: Readonly<Record<CampaignState, readonly CampaignState[]>> = {
  draft: ['scheduled', 'running', 'cancelling'],
  scheduled: ['running', 'paused', 'cancelling'],
  running: ['paused', 'completed', 'cancelling'],
  // Completed once its end has come.
  paused: ['scheduled', 'running', 'completed', 'cancelling'],
  cancelling: ['cancelled'],
  cancelled: [],
  completed: [],
};

/** Statements that only read change nothing. */
const WRITES = /\b(?:UPDATE|INSERT|DELETE)\b|\bFROM \w+\(/;

/** Ends scheduled calls of campaigns that are over, or those that are given up. */
const IS_SWEEP = /WITH RECURSIVE waiting|expired AS MATERIALIZED/;

/** A client ends a call: its contact is done. */
const IS_REQUEST = /requested AS \(\s*UPDATE calls/;

/** The time after the commit of a pause, a cancellation or other hours in which a dial may still begin. */
const STOPS_WITHIN_MS = 1_000;

interface WatchInput {
  readonly clock: WorldClock;
  readonly postgres: SimulatedPostgres;
  readonly promises: Promises;
  /** Then nothing is judged: see the profile. */
  readonly losesCommits: boolean;
}

/** One campaign, right before and right after a statement. */
export interface Change {
  readonly before: CampaignView;
  readonly after: CampaignView;
  readonly nowMs: number;
  /** Scheduled calls are ended without a request. */
  readonly isSweep: boolean;
  /** Calls are ended as a client asked. */
  readonly isRequest: boolean;
}

/**
 * What each statement does to campaigns, compared with their tables right before it: so each promise is judged at the moment
 * of its statement, and none between two of them is missed.
 */
export class CampaignWatch {
  readonly #input: WatchInput;
  readonly #limits: CampaignLimits;
  #known: readonly CampaignView[] = [];
  /** Since when each campaign calls no more. */
  readonly #stoppedMs = new Map<string, number>();

  constructor(input: WatchInput) {
    this.#input = input;
    this.#limits = new CampaignLimits(input.promises);
  }

  get campaigns(): readonly CampaignView[] {
    return this.#known;
  }

  /** Reads them again, after something but a statement of the product has changed them. */
  async refresh(): Promise<void> {
    const { postgres, clock } = this.#input;
    this.#known = await viewCampaigns(postgres.client);
    for (const campaign of this.#known) {
      if (mayDial(campaign, clock.nowMs)) this.#stoppedMs.delete(campaign.id);
      else if (!this.#stoppedMs.has(campaign.id)) this.#stoppedMs.set(campaign.id, clock.nowMs);
    }
  }

  /** A call of the campaign, at the moment of its dial. Its end may have come since its last statement. */
  dialed(id: string, atMs: number): void {
    const campaign = this.#known.find((one) => one.id === id);
    if (!campaign || this.#input.losesCommits) return;
    const stoppedMs = Math.min(this.#stoppedMs.get(id) ?? Infinity, campaign.endsMs ?? Infinity);
    if (atMs > stoppedMs + STOPS_WITHIN_MS)
      this.#violate(campaign)('no dial of a campaign that calls no more', `${campaign.state} since ${stoppedMs}`);
  }

  async around({ text }: SentStatement, run: () => Promise<unknown>): Promise<unknown> {
    const before = this.#known;
    try {
      return await run();
    } finally {
      if (before.length > 0 && WRITES.test(text)) {
        await this.refresh();
        if (!this.#input.losesCommits)
          this.#judge(before, { isSweep: IS_SWEEP.test(text), isRequest: IS_REQUEST.test(text) });
      }
    }
  }

  #judge(views: readonly CampaignView[], kind: Pick<Change, 'isSweep' | 'isRequest'>): void {
    const { clock, promises } = this.#input;
    const { nowMs } = clock;
    this.#limits.judge(views, this.#known, nowMs);
    for (const after of this.#known) {
      const before = views.find(({ id }) => id === after.id);
      if (!before) continue;
      const change = { before, after, nowMs, ...kind };
      checkCampaignAttempts(after, promises);
      this.#moves(change);
      this.#calls(change);
      this.#uploads(change);
      checkCursor(change, promises);
      checkCounts(after, promises);
    }
  }

  #moves(change: Change): void {
    const { before, after, nowMs } = change;
    if (before.state === after.state) return;
    const violate = this.#violate(after);
    if (!MOVES[before.state].includes(after.state))
      violate('a campaign moves as it may', `${before.state} → ${after.state}`);
    if (after.state === 'completed') {
      const fault = faultOfCompletion(after, nowMs);
      if (fault !== null) violate('a campaign is completed when all is done', fault);
    }
    if (after.state === 'cancelled' && after.calls.some(({ isWaiting }) => isWaiting))
      violate('a campaign that is cancelled has nothing scheduled', 'some of its calls wait');
    if (after.state === 'running' && (after.startsMs ?? 0) > nowMs)
      violate('a campaign starts in its time', `${after.startsMs}`);
  }

  #calls(change: Change): void {
    const { before, after } = change;
    const known = new Map(before.calls.map((call) => [call.id, call]));
    for (const call of after.calls) {
      const was = known.get(call.id);
      if (!was) this.#added(change, call);
      else if (!isOpen(was) && isOpen(call)) this.#mayCall(change, `admits ${call.id}`);
      else if (was.token !== call.token && call.token !== null) this.#mayCall(change, `takes ${call.id}`);
      if (was && was.status !== 'ended' && call.status === 'ended') this.#ended(change, call);
    }
  }

  /** A first attempt is made from the campaign's stock, a later one by the end of the call before. */
  #added(change: Change, { id, attempt, upload }: CampaignCallView): void {
    const { before } = change;
    const violate = this.#violate(before);
    if (attempt > 1) {
      if (isOver(before.state)) violate('a campaign that is over makes no retry', `${id} after ${before.state}`);
      return;
    }
    this.#mayCall(change, `stocks ${id}`);
    const from = before.uploads.find(({ number }) => number === upload);
    if (from?.state !== 'ready')
      violate('only contacts of a ready upload are called', `${id} of one that is ${from?.state}`);
  }

  /** From the commit of a pause, of a cancellation, and from its end on. */
  #mayCall({ before, nowMs }: Change, what: string): void {
    if (isCalling(before, nowMs)) return;
    this.#violate(before)(
      'only a running campaign calls',
      `it is ${before.state}, ends at ${before.endsMs}, and ${what}`,
    );
  }

  #ended({ before, after, nowMs, isSweep, isRequest }: Change, call: CampaignCallView): void {
    const violate = this.#violate(after);
    const next = after.calls.find(
      ({ upload, line, attempt }) => upload === call.upload && line === call.line && attempt === call.attempt + 1,
    );
    // No attempt begins after the campaign's end, which may have been moved since the call was scheduled.
    const schedule = { ...call, giveUpMs: Math.min(call.giveUpMs, before.endsMs ?? Infinity) };
    // It was withdrawn on its way to its dial: its contact is called again once the campaign goes on.
    const againMs = isSweep || isRequest ? null : givenBackMs(call);
    const isGivenBack = againMs !== null && againMs < schedule.giveUpMs;
    const isWanted = (isGivenBack || nextAttemptMs({ ...call, schedule }) !== null) && !isOver(before.state);
    if (isWanted && !next) violate(isGivenBack ? 'no contact is lost' : 'no retry is lost', call.id);
    if (next && !isWanted) violate('a call is retried as was asked', call.id);
    if (next && next.givenBack !== call.givenBack + (isGivenBack ? 1 : 0))
      violate('only what was not dialed is returned', call.id);
    if (!isSweep) return;
    const isStopped = isOver(before.state) || (before.endsMs ?? Infinity) <= nowMs;
    if (call.reason === 'cancelled' && !isStopped) violate('no call of a running campaign is cancelled', call.id);
    if (call.reason === 'schedule_expired' && !isStopped && call.giveUpMs > nowMs)
      violate('no call expires before its time', call.id);
  }

  #uploads({ before, after }: Change): void {
    for (const { number, state } of after.uploads) {
      const was = before.uploads.find((upload) => upload.number === number);
      if (state === 'ready' && was?.state !== 'ready' && isOver(before.state))
        this.#violate(after)('a campaign that is over takes no contacts', `upload ${number}`);
      if (was && was.state !== 'receiving' && was.state !== state)
        this.#violate(after)('an upload ends once', `upload ${number}: ${was.state} → ${state}`);
    }
  }

  #violate({ id }: CampaignView): (promise: string, detail: string) => void {
    return (promise, detail) => this.#input.promises.violate(promise, `campaign ${id.slice(-3)}: ${detail}`);
  }
}
