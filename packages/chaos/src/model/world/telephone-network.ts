import type { CallId } from '@outdial/contracts';
import type { WorldClock } from './clock.ts';
import type { Process } from './process.ts';

export type FarEndEvent = 'ringing' | 'answered' | 'busy' | 'hung_up';

/** One call as the far end sees it. */
export interface FarLeg {
  readonly callId: CallId;
  /** The branch by which a CANCEL finds it. */
  readonly branch: string;
  readonly owner: Process;
  readonly invitedAtMs: number;
  readonly maxDurationMs: number;
  phase: 'invited' | 'ringing' | 'answered' | 'gone';
  answeredAtMs: number;
  /** The caller's side has acknowledged the answer. */
  acknowledged: boolean;
  /** When the caller's side first requested the end; infinite if it has not. */
  hangUpSentAtMs: number;
  /** Events on their way to the caller's side. */
  readonly inbox: FarEndEvent[];
}

/** Nothing rings longer (Timer C, RFC 3261 section 16.6). */
const MAX_RINGING_MS = 180_000;
/** An unacknowledged answer is given up (64 × T1, RFC 3261 section 13.3.1.4). */
const UNACKNOWLEDGED_MS = 32_000;
/** If no BYE arrives, neither does sound: a carrier ends a call without RTP. */
const UNHEARD_MS = 45_000;

/** The carrier and all telephones: what is really dialed and really live, whatever crashes on our side. */
export class TelephoneNetwork {
  readonly legs: FarLeg[] = [];
  /** Every call that was ever sent, in order. */
  readonly invites: FarLeg[] = [];
  readonly #clock: WorldClock;
  #branches = 0;

  constructor(clock: WorldClock) {
    this.#clock = clock;
  }

  newBranch(): string {
    this.#branches += 1;
    return `branch-${this.#branches}`;
  }

  invite(sent: Pick<FarLeg, 'callId' | 'branch' | 'owner' | 'maxDurationMs'>): FarLeg {
    const leg: FarLeg = {
      ...sent,
      invitedAtMs: this.#clock.nowMs,
      phase: 'invited',
      answeredAtMs: 0,
      acknowledged: false,
      hangUpSentAtMs: Infinity,
      inbox: [],
    };
    this.legs.push(leg);
    this.invites.push(leg);
    return leg;
  }

  /** The far end acts. */
  act(leg: FarLeg, event: FarEndEvent): void {
    if (leg.phase === 'gone' || (event === 'ringing' && leg.phase !== 'invited')) return;
    if ((event === 'answered' || event === 'busy') && leg.phase === 'answered') return;
    leg.inbox.push(event);
    if (event === 'hung_up' || event === 'busy') return this.end(leg);
    leg.phase = event;
    if (event === 'answered') leg.answeredAtMs = this.#clock.nowMs;
  }

  /** BYE or CANCEL has arrived, or the leg has ended by itself. */
  end(leg: FarLeg): void {
    leg.phase = 'gone';
    const index = this.legs.indexOf(leg);
    if (index >= 0) this.legs.splice(index, 1);
  }

  /**
   * Another worker ends a leg by its stored dialog. BYE needs the tag of the answer; CANCEL has no effect on an
   * INVITE whose answer was acknowledged.
   */
  endOrphan(stored: { readonly branch: unknown; readonly answered: unknown }): void {
    for (const leg of this.legs.filter(({ branch }) => branch === stored.branch)) {
      if (leg.acknowledged && stored.answered !== true) continue;
      this.end(leg);
      leg.inbox.push('hung_up');
    }
  }

  isUp(callId: CallId): boolean {
    return this.legs.some((leg) => leg.callId === callId);
  }

  /** The legs that the network itself ends, once no process on our side drives them or can be heard. */
  expire(): void {
    const { nowMs } = this.#clock;
    for (const leg of this.legs.filter((one) => nowMs >= endsAtMs(one))) this.end(leg);
  }
}

function endsAtMs(leg: FarLeg): number {
  if (leg.owner.state !== 'gone') return leg.hangUpSentAtMs + UNHEARD_MS;
  if (leg.phase !== 'answered') return leg.invitedAtMs + MAX_RINGING_MS;
  return leg.answeredAtMs + (leg.acknowledged ? leg.maxDurationMs : UNACKNOWLEDGED_MS);
}
