import type { EvaluationStore } from '@outdial/persistence';
import { invalidRequest } from '../../http/api-error.ts';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';
import type { AccountPrincipal } from '../../http/principal.ts';
import { agentNotOwned } from '../agents/agent-params.ts';
import type { AgentId, EvaluationId } from '@outdial/contracts';
import {
  cancelEvaluationContract,
  getEvaluationContract,
  getScenariosContract,
  listEvaluationsContract,
  saveScenariosContract,
} from './contracts.ts';
import { presentEvaluation, presentSummary } from './present-evaluation.ts';
import { evaluationNotFound } from './refusals.ts';

export interface ReadEvaluationsDeps extends OwnAccountDeps {
  readonly evaluations: {
    readonly store: Pick<EvaluationStore, 'list' | 'find' | 'cancel' | 'scenariosOf' | 'saveScenarios'>;
  };
}

export function listEvaluationsRoute(deps: ReadEvaluationsDeps): AccountRoute {
  return defineRoute(listEvaluationsContract, async ({ principal, params, query: { limit, cursor } }) => {
    const of = await ownAgent(deps, principal, params.agent_id);
    const before = cursor === undefined ? null : readCursor(cursor);
    // One more than the page shows reveals whether there are more.
    const records = await deps.evaluations.store.list({ ...of, before, limit: limit + 1 });
    const hasMore = records.length > limit;
    const shown = records.slice(0, limit);
    return {
      status: 200,
      body: {
        evaluations: shown.map((record) => presentSummary(record, principal.account.currency)),
        has_more: hasMore,
        next_cursor: hasMore ? (shown.at(-1)?.sequence ?? null) : null,
      },
    };
  });
}

export function getEvaluationRoute(deps: ReadEvaluationsDeps): AccountRoute {
  return defineRoute(getEvaluationContract, async ({ principal, params }) => ({
    status: 200,
    body: await evaluationOf(deps, principal, params),
  }));
}

export function cancelEvaluationRoute(deps: ReadEvaluationsDeps): AccountRoute {
  return defineRoute(cancelEvaluationContract, async ({ principal, params }) => {
    await deps.evaluations.store.cancel(idsOf(principal, params));
    return { status: 202, body: await evaluationOf(deps, principal, params) };
  });
}

export function getScenariosRoute(deps: ReadEvaluationsDeps): AccountRoute {
  return defineRoute(getScenariosContract, async ({ principal, params }) => {
    const of = await ownAgent(deps, principal, params.agent_id);
    return { status: 200, body: { scenarios: [...(await deps.evaluations.store.scenariosOf(of))] } };
  });
}

export function saveScenariosRoute(deps: ReadEvaluationsDeps): AccountRoute {
  return defineRoute(saveScenariosContract, async ({ principal, params, body: { scenarios } }) => {
    const of = await ownAgent(deps, principal, params.agent_id);
    await deps.evaluations.store.saveScenarios({ ...of, scenarios });
    return { status: 200, body: { scenarios } };
  });
}

interface EvaluationOfPath {
  readonly agent_id: AgentId;
  readonly evaluation_id: EvaluationId;
}

/** @throws ApiError also for an evaluation of another account: the response reveals none */
async function evaluationOf(deps: ReadEvaluationsDeps, principal: AccountPrincipal, params: EvaluationOfPath) {
  const record = await deps.evaluations.store.find(idsOf(principal, params));
  if (record === null) throw evaluationNotFound();
  return { evaluation: presentEvaluation(record, principal.account.currency) };
}

function idsOf({ account }: AccountPrincipal, { agent_id: agentId, evaluation_id: evaluationId }: EvaluationOfPath) {
  return { accountId: account.id, agentId, evaluationId };
}

async function ownAgent(deps: ReadEvaluationsDeps, principal: AccountPrincipal, agentId: AgentId) {
  const agent = await ownAccountOf(deps, principal).agents.find(agentId);
  if (agent === null || agent.accountId !== principal.account.id) throw agentNotOwned();
  return { accountId: principal.account.id, agentId };
}

/** The cursor is the place of the last evaluation of the previous page. @throws ApiError */
function readCursor(text: string): string {
  if (/^[1-9]\d{0,17}$/.test(text)) return text;
  throw invalidRequest([{ param: 'cursor', message: 'must be the next_cursor of an earlier page, unchanged' }]);
}
