import type { OperationsBody } from '@outdial/contracts';

export interface Trouble {
  readonly title: string;
  /** What it means, and what to do. */
  readonly text: string;
}

/** What an operator should see to first, in words. */
export function troublesOf({ gate, calls, drift_slots: drift, workers }: OperationsBody): readonly Trouble[] {
  const troubles: Trouble[] = [];
  if (gate === null) {
    troubles.push({
      title: 'Redis does not answer',
      text: 'No call is accepted or dialled until it does. Calls that are up go on.',
    });
  } else if (!gate.open) {
    troubles.push({
      title: 'The admission gate is closed',
      text: 'No call is accepted. It is rebuilt by itself within seconds, once Redis and Postgres are there.',
    });
  } else if (drift !== null && drift !== 0) {
    troubles.push({
      title: 'The gate and Postgres differ',
      text: `The gate holds ${Math.abs(drift)} ${Math.abs(drift) === 1 ? 'slot' : 'slots'} ${drift > 0 ? 'more' : 'fewer'} than there are open calls. For a moment that is usual; if it stays, see OutdialDrift in the runbook.`,
    });
  }
  if (calls.orphaned > 0) {
    troubles.push({
      title: calls.orphaned === 1 ? 'A call has lost its worker' : `${calls.orphaned} calls have lost their worker`,
      text: 'Another worker ends them within seconds. If the number stays, no worker is running.',
    });
  }
  if (!workers.some(({ state }) => state === 'taking')) {
    troubles.push({
      title: 'No worker takes calls',
      text: 'Accepted calls wait. Start a worker, or resume one that drains.',
    });
  }
  return troubles;
}
