import type { CallSumsBody } from '@outdial/contracts';
import { formatSpan } from '../../shared/format/numbers.ts';

/** `37%`, or a dash without calls. */
export function answerRate({ calls, answered }: Pick<CallSumsBody, 'calls' | 'answered'>): string {
  return calls === 0 ? '–' : `${Math.round((answered / calls) * 100)}%`;
}

/** With a decimal below ten seconds: most calls wait less than one second. */
export function averageSpan(seconds: number, calls: number): string {
  if (calls === 0) return '–';
  const average = seconds / calls;
  return average < 10 ? `${average.toFixed(1)} s` : formatSpan(average);
}
