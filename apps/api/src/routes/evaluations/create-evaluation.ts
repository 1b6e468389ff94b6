import { createHash, randomUUID } from 'node:crypto';
import type { CallQueue, ModelDirectories } from '@outdial/calls';
import {
  callIdSchema,
  evaluationIdSchema,
  micros,
  type AccountId,
  type AgentId,
  type CreateEvaluationBody,
  type Micros,
} from '@outdial/contracts';
import { InvariantError } from '@outdial/kernel';
import type { EvaluationStore, NewRun } from '@outdial/persistence';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { idempotencyKeyIn } from '../../http/idempotency-key.ts';
import type { OwnAccountDeps } from '../../http/own-account.ts';
import { basePathOf } from '../../http/principal.ts';
import { conductedVersion } from '../tries/conducted-version.ts';
import { checkScenarios, judgeOf } from './check-scenarios.ts';
import { createEvaluationContract } from './contracts.ts';
import { planRun } from './plan-run.ts';
import { presentEvaluation } from './present-evaluation.ts';
import { refusalOfEvaluation, scriptedEvaluation } from './refusals.ts';

export interface CreateEvaluationDeps extends OwnAccountDeps {
  readonly evaluations: {
    readonly store: Pick<EvaluationStore, 'begin' | 'find' | 'startable' | 'scenariosOf'>;
    readonly queue: Pick<CallQueue, 'add'>;
    readonly models: ModelDirectories;
  };
}

export function createEvaluationRoute(deps: CreateEvaluationDeps): AccountRoute {
  const { store, models } = deps.evaluations;
  return defineRoute(createEvaluationContract, async ({ principal, params, body, rawHeaders }) => {
    const { account } = principal;
    const of = { accountId: account.id, agentId: params.agent_id };
    const key = idempotencyKeyIn(rawHeaders);
    const { version, settings } = await conductedVersion(
      deps,
      principal,
      params.agent_id,
      body.version,
      scriptedEvaluation,
    );
    const scenarios = body.scenarios ?? (await store.scenariosOf(of));
    checkScenarios(settings, scenarios);
    const llm = judgeOf(settings, body);
    const runs = await Promise.all(
      scenarios.map((scenario, index) => planRun(models, principal, { settings, llm, scenario, index })),
    );
    const begun = await store.begin({
      ...of,
      evaluationId: evaluationIdSchema.parse(randomUUID()),
      agentVersion: version,
      llm,
      runs,
      idempotency: key === null ? null : { key, requestHash: hashOf(params.agent_id, body) },
    });
    if (!('evaluationId' in begun)) throw refusalOfEvaluation(begun, dearest(runs), account.currency);
    if (begun.kind === 'begun') await queueRuns(deps, account.id);
    const { evaluationId } = begun;
    const record = await store.find({ ...of, evaluationId });
    if (record === null) throw new InvariantError('an evaluation that was begun exists');
    return {
      status: 201,
      headers: {
        Location: `${basePathOf(principal)}/agents/${params.agent_id}/evaluations/${evaluationId}`,
        ...(begun.kind === 'known' ? { 'Idempotency-Replayed': 'true' } : {}),
      },
      body: { evaluation: presentEvaluation(record, account.currency) },
    };
  });
}

/** The others follow as these end; the sweep of the workers finds what is lost. */
async function queueRuns({ evaluations }: CreateEvaluationDeps, accountId: AccountId): Promise<void> {
  const runs = await evaluations.store.startable({ accountId, limit: 10 });
  await evaluations.queue.add(runs.map((runId) => callIdSchema.parse(runId)));
}

function hashOf(agentId: AgentId, body: CreateEvaluationBody): string {
  return createHash('sha256')
    .update(JSON.stringify([agentId, body]))
    .digest('hex');
}

function dearest(runs: readonly NewRun[]): Micros {
  return runs.reduce((most, { holdMicros }) => (holdMicros > most ? holdMicros : most), micros(0));
}
