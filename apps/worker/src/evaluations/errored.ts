import type { RunProblem } from '@outdial/contracts';
import type { RunResult } from '@outdial/persistence';

/** A run that could not be judged, with what there is of it. */
export function errored(
  problem: RunProblem,
  played: Partial<Pick<RunResult, 'transcript' | 'endedReason'>> = {},
): RunResult {
  return { endedReason: null, transcript: [], ...played, judgments: [], verdict: 'errored', problem };
}
