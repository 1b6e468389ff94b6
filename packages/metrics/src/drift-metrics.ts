import type { DriftKind } from '@outdial/calls';
import { SYSTEM_GAUGES } from './catalogue.ts';
import type { Exposition } from './exposition.ts';
import { openGauges } from './instruments.ts';
import type { ReadingSuccess } from './reading-success.ts';

/** `failed`: a store did not answer; `not_mine`: another worker compares. */
export type Drift = ReadonlyMap<DriftKind, number> | 'failed' | 'not_mine';

/** Shows what the last comparison of the gate with Postgres found. It is taken beside the scrapes: it reads every hold. */
export function openDrift({ registry }: Exposition, successes: ReadingSuccess): (drift: Drift) => void {
  const gauge = openGauges(registry, SYSTEM_GAUGES.gateDrift);
  return (drift) => {
    if (drift === 'not_mine') successes.forget('drift');
    else successes.note('drift', drift !== 'failed');
    gauge(typeof drift === 'string' ? new Map() : drift);
  };
}
