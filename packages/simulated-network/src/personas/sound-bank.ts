import type { SpeechSynthesizer } from '@outdial/calls';
import type { Voice } from '@outdial/contracts';
import { padToFrames } from '@outdial/telephony';
import { renderTones, type Sound } from './sounds.ts';

/** A sound's samples: mono, 8 kHz, a whole number of frames. Shared by all callees: never write into them. */
export type Samples = ReadonlyMap<Sound, Int16Array>;

export interface SoundBankOptions {
  readonly speech: SpeechSynthesizer;
  readonly voice: Voice;
}

/** All sounds of callees, rendered once for all of them. */
export interface SoundBank {
  /** Rejects as the synthesizer does; the next call tries again. */
  prepare(sounds: readonly Sound[]): Promise<Samples>;
}

export function createSoundBank({ speech, voice }: SoundBankOptions): SoundBank {
  const rendered = new Map<Sound, Promise<Int16Array>>();

  const render = async (sound: Sound): Promise<Int16Array> =>
    padToFrames(
      sound.kind === 'tones' ? renderTones(sound.segments) : await speech.synthesize({ text: sound.text, voice }),
    );

  const obtain = (sound: Sound): Promise<Int16Array> => {
    const known = rendered.get(sound);
    if (known) return known;
    const rendering = render(sound);
    rendered.set(sound, rendering);
    rendering.catch(() => rendered.delete(sound));
    return rendering;
  };

  return {
    async prepare(sounds) {
      return new Map(await Promise.all(sounds.map(async (sound) => [sound, await obtain(sound)] as const)));
    },
  };
}
