import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { SpeechSynthesizer } from '@outdial/calls';
import type { Voice } from '@outdial/contracts';
import { readWav } from './wav.ts';

/** A clip cannot be played; the message says why and what to do. */
export class VoiceClipError extends Error {
  override readonly name = 'VoiceClipError';
}

/** The folder of the shipped clips: the same relative path from the sources and from the build. */
export const VOICES_FOLDER = new URL('../../voices/', import.meta.url);

/** Differs from an agent's default voice, so that the two are distinct in a recording. */
export const CALLEE_VOICE: Voice = 'rms';

const MAX_SLUG = 40;

/** The file name of a text's clip: `goodbye-5f3c01aa.wav`. A changed text gets another clip, never the old one. */
export function clipFileName(text: string): string {
  const slug = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG)
    .replace(/-$/, '');
  return `${slug}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}.wav`;
}

/**
 * Speech from files, in the one voice with which they were made. Rejects with a VoiceClipError for a text without a clip.
 */
export function createVoiceClips(folder: URL): SpeechSynthesizer {
  return {
    async synthesize({ text }) {
      const name = clipFileName(text);
      const advice = 'Run `npm run make-voices -w @outdial/simulated-network` to make the clips again.';
      const file = await readFile(new URL(name, folder)).catch((error: unknown) => {
        throw new VoiceClipError(`The voice clip ${name} cannot be read (${reasonOf(error)}). ${advice}`, {
          cause: error,
        });
      });
      const samples = readWav(file);
      if (samples === undefined) throw new VoiceClipError(`The voice clip ${name} is damaged. ${advice}`);
      return samples;
    },
  };
}

/** `ENOENT` and the like; the message of an error without a code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
