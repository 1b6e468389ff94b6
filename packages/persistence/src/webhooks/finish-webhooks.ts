import { unreachable } from '@outdial/kernel';
import type { AttemptVerdict, FinishedAttempt, WebhookStore } from '@outdial/webhooks';
import type { Database } from '../database.ts';
import { createGroupCommit } from '../group-commit.ts';
import { storableJson } from '../sql/storable-json.ts';

/** One statement for all attempts that ended while the previous one was in flight. */
export function createFinish({ side }: Database, { workerId }: { readonly workerId: string }): WebhookStore['finish'] {
  const commits = createGroupCommit({
    async run(attempts: readonly FinishedAttempt[]) {
      const batch = storableJson(attempts.map((attempt) => toInput(attempt, workerId)));
      await side.$queryRaw`SELECT finish_webhooks(${batch}::jsonb)::text`;
      return attempts.map(() => true);
    },
    keyOf: ({ messageId, endpointId }: FinishedAttempt) => `${messageId} ${endpointId}`,
  });
  return async (attempt) => {
    await commits.submit(attempt);
  };
}

function toInput(attempt: FinishedAttempt, workerId: string) {
  return {
    message_id: attempt.messageId,
    endpoint_id: attempt.endpointId,
    attempt: attempt.attempt,
    lane: attempt.laneId,
    started_at_ms: Math.round(attempt.startedAtMs),
    duration_ms: Math.round(attempt.durationMs),
    status: attempt.status,
    error: attempt.error,
    response_headers: attempt.responseHeaders,
    response_body: attempt.responseBody,
    worker_id: workerId,
    ...toVerdict(attempt.verdict),
  };
}

function toVerdict(verdict: AttemptVerdict) {
  switch (verdict.kind) {
    case 'delivered':
    case 'gone':
      return { verdict: verdict.kind, due_in_ms: 0, lane_delay_ms: 0 };
    case 'failed':
      return { verdict: verdict.kind, due_in_ms: 0, lane_delay_ms: Math.round(verdict.laneDelayMs) };
    case 'retry':
      return {
        verdict: verdict.kind,
        due_in_ms: Math.round(verdict.dueInMs),
        lane_delay_ms: Math.round(verdict.laneDelayMs),
      };
    default:
      return unreachable(verdict);
  }
}
