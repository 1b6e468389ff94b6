import type { Turn } from '@outdial/contracts';

/** The player's controls for the transcript and the keyboard. Times are milliseconds since the answer. */
export interface Player {
  readonly seek: (ms: number) => void;
  readonly playFrom: (ms: number) => void;
  readonly toggle: () => void;
  readonly skip: (ms: number) => void;
}

/** Each speaker's color, shared by the waveform and the transcript. */
export const VOICE_COLORS: Readonly<Record<Turn['role'], string>> = {
  agent: 'iris',
  callee: 'teal',
  supervisor: 'grape',
};
export const VOICE_WORDS: Readonly<Record<Turn['role'], string>> = {
  agent: 'Agent',
  callee: 'Callee',
  supervisor: 'Instruction',
};
