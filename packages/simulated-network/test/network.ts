import type { DialRequest, SpeechSynthesizer } from '@outdial/calls';
import { createMediaClock } from '@outdial/telephony';
import { dialRequest, toneSpeech } from '@outdial/telephony/testing';
import { ManualClock } from '@outdial/testkit/async';
import {
  createSimulatedCarrier,
  type Dialled,
  type SimulatedCarrierOptions,
} from '../src/carrier/simulated-carrier.ts';
import { recordEvents } from './call.ts';

/** A network without audio. */
export function openNetwork(changes: Partial<SimulatedCarrierOptions> = {}) {
  const clock = new ManualClock();
  const dialled: Dialled[] = [];
  const left: Dialled[] = [];
  const errors: unknown[] = [];
  const carrier = createSimulatedCarrier({
    clock,
    media: { kind: 'off', speed: 1 },
    onDialled: (reached) => dialled.push(reached),
    onEnded: (over) => left.push(over),
    onError: (error) => errors.push(error),
    ...changes,
  });
  return { clock, carrier, dialled, left, errors };
}

/** A network with audio. */
export function openSpeakingNetwork(speech: SpeechSynthesizer = toneSpeech) {
  const clock = new ManualClock();
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const media = createMediaClock({ clock, onError });
  const carrier = createSimulatedCarrier({
    clock,
    media: { kind: 'frames', clock: media, speech },
    onError,
  });
  return { clock, carrier, errors };
}

/** Dials and advances network time by `ms`. */
export async function dialAndTurn(
  at: ReturnType<typeof openNetwork>,
  number: string,
  ms: number,
  changes?: Partial<DialRequest>,
) {
  const leg = at.carrier.dial(dialRequest(number, changes));
  const events = recordEvents(leg);
  await at.clock.turnGently(ms);
  return { leg, events };
}
