import type { Turn } from '@outdial/contracts';

/** What the transcript and the keys may do with the player. Times are milliseconds from answer. */
export interface Player {
  readonly seek: (ms: number) => void;
  readonly playFrom: (ms: number) => void;
  readonly toggle: () => void;
  readonly skip: (ms: number) => void;
}

/** Who is who, in the same colours for the wave and the words. */
export const VOICE_COLOURS: Readonly<Record<Turn['role'], string>> = { agent: 'iris', callee: 'teal' };
export const VOICE_WORDS: Readonly<Record<Turn['role'], string>> = { agent: 'Agent', callee: 'Callee' };
