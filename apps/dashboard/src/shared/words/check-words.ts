import type { CheckResult } from '@outdial/contracts';
import type { Tone } from './tone.ts';

interface CheckWords {
  readonly label: string;
  readonly meaning: string;
  readonly tone: Tone;
}

/** What a check of a credential found. */
export const CHECK_WORDS: Readonly<Record<CheckResult, CheckWords>> = {
  ok: { label: 'Key accepted', meaning: 'The provider accepts the key.', tone: 'good' },
  rejected: {
    label: 'Key rejected',
    meaning: 'The provider rejects the key, and calls wait. Rotate the credential with a valid key.',
    tone: 'bad',
  },
  unreachable: {
    label: 'Not reachable',
    meaning: 'The provider gave no usable answer. This says nothing about the key. Check the address and try again.',
    tone: 'warning',
  },
  no_such_model: {
    label: 'Model not available',
    meaning:
      'The provider accepts the key, but not for this model. Check the name of the model, and what the key may use.',
    tone: 'warning',
  },
};
