import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';
import { CONTENT_TYPES, type ExpositionFormat } from './exposition.ts';

/** A scraper may say how to escape unusual names of metrics. We have none, so each value fits. */
const ESCAPINGS = ['allow-utf-8', 'underscores', 'dots', 'values'] as const;

/** Each matches a request that names a part of these parameters. Of equal ones the first is chosen. */
const OFFERED: ReadonlyMap<string, ExpositionFormat> = new Map(
  (['prometheus', 'openmetrics'] as const).flatMap((format) =>
    ESCAPINGS.map((escaping) => [`${CONTENT_TYPES[format]}; escaping=${escaping}`, format]),
  ),
);

/** What the scraper likes best, by its `Accept`. Prometheus's text is for all that do not ask for OpenMetrics. */
export function chooseFormat(request: IncomingMessage): ExpositionFormat {
  const [best = ''] = new Negotiator(request).mediaTypes([...OFFERED.keys()]);
  return OFFERED.get(best) ?? 'prometheus';
}
