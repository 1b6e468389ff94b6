import type { CascadeSettings, SttChoice } from '@outdial/contracts';

/** The provider takes no less. */
const LEAST_MS = 500;

/** The silence after which a turn is over, however unsure Flux is. */
export function fluxTimeoutMs(
  { mode, min_delay_ms: least, max_delay_ms: most }: CascadeSettings['endpointing'],
  { eot_timeout_ms: ofModel }: Extract<SttChoice, { provider: 'deepgram' }>['options'],
): number {
  if (mode === 'silence') return Math.max(least, LEAST_MS);
  return ofModel ?? Math.max(most, LEAST_MS);
}
