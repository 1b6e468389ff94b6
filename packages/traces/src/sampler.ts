import { isSpanContextValid, trace, TraceFlags, type Context, type Link } from '@opentelemetry/api';
import {
  SamplingDecision,
  TraceIdRatioBasedSampler,
  type Sampler,
  type SamplingResult,
} from '@opentelemetry/sdk-trace';

const SAMPLED: SamplingResult = { decision: SamplingDecision.RECORD_AND_SAMPLED };
const NOT_SAMPLED: SamplingResult = { decision: SamplingDecision.NOT_RECORD };

/**
 * A span of a trace is sampled as the trace is. Of spans that begin a trace, those that link to a sampled one are sampled:
 * they belong to it, though they come later or belong to several. The others are sampled by the ratio.
 */
export function createSampler(ratio: number): Sampler {
  const byRatio = new TraceIdRatioBasedSampler(ratio);
  return {
    shouldSample(context: Context, traceId: string, ...rest: [unknown, unknown, unknown, readonly Link[]]) {
      const parent = trace.getSpanContext(context);
      if (parent && isSpanContextValid(parent)) return isSampledBy(parent.traceFlags) ? SAMPLED : NOT_SAMPLED;
      const [, , , links] = rest;
      if (links.some((link) => isSampledBy(link.context.traceFlags))) return SAMPLED;
      return byRatio.shouldSample(context, traceId);
    },
    toString: () => `Outdial{${byRatio.toString()}}`,
  };
}

const isSampledBy = (flags: number): boolean => (flags & TraceFlags.SAMPLED) !== 0;
