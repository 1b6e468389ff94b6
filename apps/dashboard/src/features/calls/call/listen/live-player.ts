import { LIVE_SOUND } from '@outdial/contracts';
import { SoundSchedule } from '../../model/sound-schedule.ts';
import { decodeSide, loudness } from '../../../../shared/sound/ulaw.ts';

/** How loud each side is, from 0 to 100. */
export interface Levels {
  readonly callee: number;
  readonly agent: number;
}

/** Plays a live call: the callee left, the agent right, as in the recording. Create it in a click. */
export class LivePlayer {
  readonly #context = new AudioContext({ sampleRate: LIVE_SOUND.sampleRate });
  readonly #schedule = new SoundSchedule();

  start(): void {
    void this.#context.resume();
  }

  play(firstFrame: number, ulaw: Uint8Array): Levels {
    const context = this.#context;
    const sides = [decodeSide(ulaw, 0), decodeSide(ulaw, 1)] as const;
    const frames = (sides[0].length * 1_000) / (LIVE_SOUND.sampleRate * LIVE_SOUND.frameMs);
    const atSeconds = this.#schedule.place(firstFrame, frames, context.currentTime);
    if (atSeconds !== null) {
      const buffer = context.createBuffer(LIVE_SOUND.channels, sides[0].length, LIVE_SOUND.sampleRate);
      for (const [channel, samples] of sides.entries()) buffer.copyToChannel(samples, channel);
      const source = context.createBufferSource();
      source.buffer = buffer;
      source.connect(context.destination);
      source.start(atSeconds);
    }
    return { callee: loudness(sides[0]), agent: loudness(sides[1]) };
  }

  close(): void {
    void this.#context.close();
  }
}
