import type { OperationsBody } from '@outdial/contracts';

export interface Problem {
  readonly title: string;
  /** What the problem means, and what to do. */
  readonly text: string;
}

/** The problems that need an operator's attention. */
export function problemsOf({ gate, calls, drift_slots: drift, workers }: OperationsBody): readonly Problem[] {
  const problems: Problem[] = [];
  if (gate === null) {
    problems.push({
      title: 'Redis is unavailable',
      text: 'New calls are neither accepted nor dialed until Redis is back. Calls in progress continue.',
    });
  } else if (!gate.open) {
    problems.push({
      title: 'The admission gate is closed',
      text: 'New calls are not accepted. The gate is rebuilt automatically within seconds of Redis and Postgres being available.',
    });
  } else if (drift !== null && drift !== 0) {
    problems.push({
      title: 'Redis and Postgres disagree',
      text: `The gate counts ${Math.abs(drift)} ${drift > 0 ? 'more' : 'fewer'} ${Math.abs(drift) === 1 ? 'slot' : 'slots'} than there are open calls. A brief difference is normal. If it persists, see OutdialDrift in the runbook.`,
    });
  }
  if (calls.orphaned > 0) {
    problems.push({
      title: calls.orphaned === 1 ? '1 call has lost its worker' : `${calls.orphaned} calls have lost their worker`,
      text: 'Another worker ends such calls within seconds. If the number does not drop, no worker is running.',
    });
  }
  if (!workers.some(({ state }) => state === 'taking')) {
    problems.push({
      title: 'No active workers',
      text: 'Accepted calls wait in the queue. Start a worker or resume a draining one.',
    });
  }
  return problems;
}
