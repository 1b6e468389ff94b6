import { endedReasons } from '@outdial/contracts';
import { ENDED_REASON_WORDS } from '../../../shared/words/ended-reason.ts';
import type { ContactOutcome } from '../search.ts';

interface OutcomeChoice {
  readonly value: ContactOutcome;
  readonly label: string;
}

/** The outcomes of contacts, by their words. */
export const OUTCOME_CHOICES: OutcomeChoice[] = [
  ...endedReasons.map((value) => ({ value, label: ENDED_REASON_WORDS[value].label })),
  { value: 'not_dialled' as const, label: 'Not dialed' },
].toSorted((one, other) => one.label.localeCompare(other.label));
