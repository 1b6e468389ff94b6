import type { Carrier, DialRequest, Leg, LegDialog, SpeechSynthesizer } from '@outdial/calls';
import type { CallId, E164 } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';
import type { MediaClock } from '../media/media-clock.ts';
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

/** How callees sound. The network's timers run at the same speed as its media. */
export type SimulatedMedia =
  | { readonly kind: 'frames'; readonly clock: MediaClock; readonly speech: SpeechSynthesizer }
  /** No frames at all: callees go by their timers and hear nothing. For load tests. */
  | { readonly kind: 'off'; readonly speed: number };

export interface SimulatedCarrierOptions {
  readonly clock: Clock;
  readonly media: SimulatedMedia;
  /** Default: the test numbers. */
  readonly table?: NumberTable;
  /** Network time that is spent before `mayDial` is asked and the telephone reached. Default 0. */
  readonly connectMs?: number;
  /** Told of every telephone that is reached, in the tick in which it is: what fault tests count. */
  readonly onDialled?: (dialled: Dialled) => void;
  /** Told of every telephone that was reached, once its call is over. */
  readonly onLeft?: (left: Dialled) => void;
  /** Told why a callee could not be brought to life; its call ends `unavailable`, and nobody was dialled. */
  readonly onError: (error: unknown) => void;
}

export interface SimulatedCarrier extends Carrier {
  /** The calls whose legs are not known gone. */
  liveCallIds(): readonly CallId[];
}

/** A telephone network inside the process. The dialled number chooses who is called, and nothing else. */
export function createSimulatedCarrier(options: SimulatedCarrierOptions): SimulatedCarrier {
  const { clock, media, table = TEST_NUMBERS, connectMs = 0, onDialled, onLeft, onError } = options;
  const network = scaleTimers(clock, media.kind === 'frames' ? media.clock.speed : media.speed);
  const prepareFarEnd = farEndsFor(media, network);
  const live = new Map<SimulatedLeg, CallId>();

  function dial(request: DialRequest): Leg {
    const { callId, calleeNumber: number } = request;
    let reached = false;
    const told = () => ({ callId, number, atMs: clock.nowMs() });
    const leg = new SimulatedLeg({
      request,
      persona: personaAt(table, number),
      prepareFarEnd,
      network,
      connectMs,
      onDialled() {
        reached = true;
        onDialled?.(told());
      },
      onEnded() {
        live.delete(leg);
        switchboard.remove(leg.id);
        if (reached) onLeft?.(told());
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
    // A leg lives in the process that dialled it, and dies with it.
    writeAheadDial: false,
    dial,
    endOrphan,
    liveCallIds: () => [...live.values()],
  };
}

/** Also of another process of this machine, which is asked. */
async function endOrphan(dialog: LegDialog): Promise<'gone' | 'unknown'> {
  const { leg, host, socket } = dialog;
  if (typeof leg !== 'string' || typeof host !== 'string' || typeof socket !== 'string') return 'unknown';
  return switchboard.end(leg, { host, socket });
}

/** Another voice than an agent's default, so that a recording tells the two apart. */
const CALLEE_VOICE = 'rms';

function farEndsFor(media: SimulatedMedia, network: Pick<Clock, 'after'>): PrepareFarEnd {
  if (media.kind === 'off') return silentFarEnds(network);
  return speakingFarEnds(media.clock, createSoundBank({ speech: media.speech, voice: CALLEE_VOICE }));
}
