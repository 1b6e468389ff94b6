import type { Carrier, DialRequest, Leg, LegDialog, SpeechSynthesizer } from '@outdial/calls';
import type { CallId, E164 } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';
import type { MediaClock } from '@outdial/telephony';
import { createSoundBank } from '../personas/sound-bank.ts';
import { personaAt, TEST_NUMBERS, type NumberTable } from '../personas/test-numbers.ts';
import { silentFarEnds, speakingFarEnds, type PrepareFarEnd } from './far-end.ts';
import { scaleTimers } from './scaled-clock.ts';
import { SimulatedLeg } from './simulated-leg.ts';
import { switchboard } from './switchboard.ts';

/** One telephone that was really reached. */
export interface Dialled {
  readonly callId: CallId;
  readonly number: E164;
  readonly atMs: number;
}

/** The media of the callees. The network's timers run at the same speed. */
export type SimulatedMedia =
  | { readonly kind: 'frames'; readonly clock: MediaClock; readonly speech: SpeechSynthesizer }
  /** No frames: callees follow timers and hear nothing. For load tests. */
  | { readonly kind: 'off'; readonly speed: number };

export interface SimulatedCarrierOptions {
  readonly clock: Clock;
  readonly media: SimulatedMedia;
  /** Default: the test numbers. */
  readonly table?: NumberTable;
  /** Network time before `mayDial` is called and the telephone is reached. Default 0. */
  readonly connectMs?: number;
  /** Called for every telephone that is reached, in the same tick. Fault tests count these calls. */
  readonly onDialled?: (dialled: Dialled) => void;
  /** Called for every telephone that was reached, once its call has ended. */
  readonly onEnded?: (left: Dialled) => void;
  /** Called when a callee could not be started. Its call ends with `unavailable`, and no telephone was dialed. */
  readonly onError: (error: unknown) => void;
}

export interface SimulatedCarrier extends Carrier {
  /** The calls whose legs are not known to be gone. */
  liveCallIds(): readonly CallId[];
}

/** A telephone network inside the process. Only the dialed number decides which persona answers. */
export function createSimulatedCarrier(options: SimulatedCarrierOptions): SimulatedCarrier {
  const { clock, media, table = TEST_NUMBERS, connectMs = 0, onDialled, onEnded, onError } = options;
  const network = scaleTimers(clock, media.kind === 'frames' ? media.clock.speed : media.speed);
  const prepareFarEnd = farEndsFor(media, network);
  const live = new Map<SimulatedLeg, CallId>();

  function dial(request: DialRequest): Leg {
    const { callId, calleeNumber: number } = request;
    let reached = false;
    const dialledNow = () => ({ callId, number, atMs: clock.nowMs() });
    const leg = new SimulatedLeg({
      request,
      persona: personaAt(table, number),
      table,
      prepareFarEnd,
      network,
      clock,
      connectMs,
      onDialled() {
        reached = true;
        onDialled?.(dialledNow());
      },
      onEnded() {
        live.delete(leg);
        switchboard.remove(leg.id);
        if (reached) onEnded?.(dialledNow());
      },
      onFailure: onError,
    });
    live.set(leg, callId);
    switchboard.add(leg.id, leg);
    void leg.begin();
    return leg;
  }

  return {
    name: 'simulated',
    // A leg lives in the process that dialed it, and dies with it.
    writeAheadDial: false,
    dial,
    endOrphan,
    liveCallIds: () => [...live.values()],
  };
}

/** Ends a leg of another process of this machine too, by asking that process. */
async function endOrphan(dialog: LegDialog): Promise<'gone' | 'unknown'> {
  const { leg, host, socket } = dialog;
  if (typeof leg !== 'string' || typeof host !== 'string' || typeof socket !== 'string') return 'unknown';
  return switchboard.end(leg, { host, socket });
}

/** Differs from an agent's default voice, so that the two are distinct in a recording. */
const CALLEE_VOICE = 'rms';

function farEndsFor(media: SimulatedMedia, network: Pick<Clock, 'after'>): PrepareFarEnd {
  if (media.kind === 'off') return silentFarEnds(network);
  return speakingFarEnds(media.clock, createSoundBank({ speech: media.speech, voice: CALLEE_VOICE }));
}
