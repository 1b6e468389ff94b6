import type { Voice } from '@outdial/contracts';

export const VOICE_WORDS: Readonly<Record<Voice, string>> = {
  slt: 'SLT, female, American',
  rms: 'RMS, male, American',
  awb: 'AWB, male, Scottish',
  kal: 'KAL, male, synthetic',
};
