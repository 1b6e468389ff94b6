import type { ConductedCall } from '@outdial/calls';
import type {
  AccountId,
  AgentId,
  EvaluationId,
  EvaluationLlm,
  EvaluationRunId,
  Judgment,
  Micros,
  ReservationId,
  RunEndReason,
  RunLine,
  RunProblem,
  Scenario,
  Verdict,
} from '@outdial/contracts';
import type { TryJob, TryUsage } from '../tries/try-store.ts';

/** A run with its models in this order: of the agent, of the judge, and of the persona if a model plays it. */
export interface NewRun extends Pick<ConductedCall, 'driver' | 'models' | 'rates'> {
  readonly runId: EvaluationRunId;
  readonly scenario: Scenario;
  readonly holdMicros: Micros;
  readonly reservationId: ReservationId;
}

export interface NewEvaluation {
  readonly evaluationId: EvaluationId;
  readonly accountId: AccountId;
  readonly agentId: AgentId;
  readonly agentVersion: number;
  readonly llm: EvaluationLlm;
  readonly runs: readonly NewRun[];
  readonly idempotency: { readonly key: string; readonly requestHash: string } | null;
}

export type BeginEvaluationOutcome =
  /** `known`: the key had begun it before. */
  | { readonly kind: 'begun' | 'known'; readonly evaluationId: EvaluationId }
  /** The key belongs to another request. */
  | { readonly kind: 'key_reused' }
  /** `too_many`: open evaluations. `no_runs`: the account has used its conversations of a day. */
  | { readonly kind: 'too_many' | 'no_runs'; readonly inUse: number; readonly retryAfterSeconds: number }
  | { readonly kind: 'insufficient_funds'; readonly availableMicros: Micros };

/** An evaluation as its account sees it. */
export interface EvaluationRecord {
  readonly evaluationId: EvaluationId;
  readonly sequence: string;
  readonly agentId: AgentId;
  readonly agentVersion: number;
  readonly llm: EvaluationLlm;
  readonly isCancelled: boolean;
  readonly hasBegun: boolean;
  readonly scenarios: number;
  readonly ended: number;
  readonly passed: number;
  readonly failed: number;
  readonly errored: number;
  readonly costMicros: Micros;
  readonly createdAtMs: number;
  /** Null while a run is open. */
  readonly endedAtMs: number | null;
}

export interface RunRecord {
  readonly scenario: Scenario;
  readonly verdict: Verdict | null;
  readonly problem: RunProblem | null;
  readonly endedReason: RunEndReason | null;
  readonly judgments: readonly Judgment[];
  readonly transcript: readonly RunLine[];
  readonly costMicros: Micros;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
}

/** A run as the worker that began it reads it: a try with its scenario. */
export interface RunJob extends TryJob {
  readonly runId: EvaluationRunId;
  readonly scenario: Scenario;
  readonly llm: EvaluationLlm;
}

export type BeginRunOutcome =
  | { readonly kind: 'begun'; readonly job: RunJob }
  /** The account has as many open runs as it may. */
  | { readonly kind: 'busy' }
  /** `ended`: it was ended instead of begun. `over`: unknown, begun or ended before. */
  | { readonly kind: 'ended' | 'over' };

export interface RunResult {
  readonly verdict: Verdict;
  readonly problem: RunProblem | null;
  readonly endedReason: RunEndReason | null;
  readonly judgments: readonly Judgment[];
  readonly transcript: readonly RunLine[];
}

interface OfAgent {
  readonly accountId: AccountId;
  readonly agentId: AgentId;
}

/** Conversations of agents with simulated callees. On the side pool: nothing here may delay a call. */
export interface EvaluationStore {
  /** Checks the account's bounds and funds and accepts the evaluation, in one statement. */
  begin(input: NewEvaluation): Promise<BeginEvaluationOutcome>;
  list(
    input: OfAgent & { readonly before: string | null; readonly limit: number },
  ): Promise<readonly EvaluationRecord[]>;
  find(
    input: OfAgent & { readonly evaluationId: EvaluationId },
  ): Promise<(EvaluationRecord & { readonly runs: readonly RunRecord[] }) | null>;
  /** Ends the runs that wait; the worker ends the others. False: there is no such evaluation. */
  cancel(input: OfAgent & { readonly evaluationId: EvaluationId }): Promise<boolean>;
  /** Runs that may begin now: of each account the oldest, as many as it has free places. */
  startable(input: {
    readonly accountId: AccountId | null;
    readonly limit: number;
  }): Promise<readonly EvaluationRunId[]>;
  beginRun(input: { readonly runId: EvaluationRunId; readonly leaseMs: number }): Promise<BeginRunOutcome>;
  /** Extends the lease and stores what was used. */
  renewRun(
    input: TryUsage & Pick<RunJob, 'tryId' | 'lease'> & { readonly leaseMs: number },
  ): Promise<'written' | 'fenced' | 'cancelled'>;
  /** Stores the result. The charge follows: it is that of the try. */
  endRun(input: Pick<RunJob, 'runId' | 'lease'> & RunResult): Promise<'written' | 'fenced'>;
  /** Ends the runs whose try has ended without a result. */
  endLostRuns(): Promise<number>;
  /** The scenarios that are saved with an agent. */
  scenariosOf(input: OfAgent): Promise<readonly Scenario[]>;
  saveScenarios(input: OfAgent & { readonly scenarios: readonly Scenario[] }): Promise<void>;
}
