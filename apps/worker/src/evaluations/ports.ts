import type { OpenTextModel } from '@outdial/analysis';
import { EVALUATION_LIMITS, type EvaluationRunId } from '@outdial/contracts';
import type { EvaluationStore } from '@outdial/persistence';
import type { TryDeps } from '../tries/ports.ts';
import type { OpenModelPersona } from './model-persona.ts';

export interface EvaluationTimings {
  readonly leaseMs: number;
  readonly renewEveryMs: number;
  /** Of the conversation. */
  readonly conversationMs: number;
  /** Without a word of either side. */
  readonly idleMs: number;
  /** For all requests about one criterion. */
  readonly judgeMs: number;
  /** The pause after the first, the second … failed request for a judgment. One more request than pauses. */
  readonly judgeAgainAfterMs: readonly number[];
}

export interface EvaluationDeps extends Omit<TryDeps, 'channel' | 'tools' | 'sound'> {
  readonly evaluations: Pick<EvaluationStore, 'startable' | 'beginRun' | 'renewRun' | 'endRun' | 'endLostRuns'>;
  readonly queue: { readonly add: (runs: readonly EvaluationRunId[]) => Promise<void> };
  readonly openModelPersona: OpenModelPersona;
  readonly openJudge: OpenTextModel;
  readonly pace: EvaluationTimings;
}

export const EVALUATION_TIMINGS: EvaluationTimings = {
  leaseMs: 10_000,
  renewEveryMs: 2_000,
  conversationMs: EVALUATION_LIMITS.conversationSeconds * 1_000,
  idleMs: 60_000,
  judgeMs: 150_000,
  judgeAgainAfterMs: [1_000, 5_000],
};
