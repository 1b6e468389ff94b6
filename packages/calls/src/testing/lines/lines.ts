import { breakerNameSchema, type BreakerName } from '@outdial/contracts';
import { lineNameOf, type LineLimits } from '../../line.ts';

/** A line of the operator's; by default at a pace of one call per microsecond. */
export function lineOf(name: string, maxCalls: number, changes: Partial<Omit<LineLimits, 'name'>> = {}): LineLimits {
  return {
    name: lineNameOf({ credentialId: name, accountId: null, group: null }, 'llm'),
    maxCalls,
    startsPerSecond: 1_000_000,
    isShared: true,
    isClosed: false,
    breakers: [],
    ...changes,
  };
}

/** The breaker of a model at the operator's credential of this name. */
export function breakerOf(credentialId: string): BreakerName {
  return breakerNameSchema.parse(`openai:llm:${credentialId}:gpt`);
}
