import { isSpanContextValid, trace, TraceFlags, type Context, type Link } from '@opentelemetry/api';
import {
  RandomIdGenerator,
  SamplingDecision,
  type IdGenerator,
  type Sampler,
  type SamplingResult,
} from '@opentelemetry/sdk-trace';
import { randomTraceIdWithin } from './ratio.ts';

const SAMPLED: SamplingResult = { decision: SamplingDecision.RECORD_AND_SAMPLED };
const NOT_SAMPLED: SamplingResult = { decision: SamplingDecision.NOT_RECORD };

/**
 * A span of a trace is sampled as the trace is. Of spans that begin a trace with links, those that link to a sampled one are
 * sampled: they belong to it, though they come later or belong to several. Others begin only where `samplesNext` has said so.
 */
export const SAMPLER: Sampler = {
  shouldSample(context: Context, _traceId: string, ...rest: [unknown, unknown, unknown, readonly Link[]]) {
    const parent = trace.getSpanContext(context);
    if (parent && isSpanContextValid(parent)) return isSampledBy(parent.traceFlags) ? SAMPLED : NOT_SAMPLED;
    const [, , , links] = rest;
    const isWanted = links.length === 0 || links.some((link) => isSampledBy(link.context.traceFlags));
    return isWanted ? SAMPLED : NOT_SAMPLED;
  },
  toString: () => 'Outdial',
};

/** A trace begins only where it is sampled, so that its id is one of those that the ratio samples. */
export function createIdGenerator(ratio: number): IdGenerator {
  const random = new RandomIdGenerator();
  return {
    generateTraceId: () => randomTraceIdWithin(ratio),
    generateSpanId: () => random.generateSpanId(),
  };
}

const isSampledBy = (flags: number): boolean => (flags & TraceFlags.SAMPLED) !== 0;
