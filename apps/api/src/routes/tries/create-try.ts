import { randomUUID } from 'node:crypto';
import { planModels, type CallQueue, type ConductedCall, type ModelDirectories } from '@outdial/calls';
import {
  callIdSchema,
  modelNeeds,
  type Component,
  requiredVariables,
  reservationIdSchema,
  tryIdSchema,
  type AgentId,
  type ConductedSettings,
  type CreateTryBody,
} from '@outdial/contracts';
import { InvariantError } from '@outdial/kernel';
import type { TryStore } from '@outdial/persistence';
import { ApiError, invalidRequest } from '../../http/api-error.ts';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';
import type { AccountPrincipal } from '../../http/principal.ts';
import { agentNotOwned } from '../agents/agent-params.ts';
import { refusalOf } from '../create-call/refusal.ts';
import { createTryContract } from './contracts.ts';
import { holdOfTry } from './hold.ts';
import { presentTry } from './present-try.ts';
import { refusalOfTry, scriptedAgent } from './refusals.ts';

export interface CreateTryDeps extends OwnAccountDeps {
  readonly tries: {
    readonly store: Pick<TryStore, 'begin' | 'find'>;
    readonly queue: Pick<CallQueue, 'add'>;
    readonly models: ModelDirectories;
  };
}

export function createTryRoute(deps: CreateTryDeps): AccountRoute {
  return defineRoute(createTryContract, async ({ principal, params, body }) => {
    const { account } = principal;
    const { version, settings } = await settingsOf(deps, principal, params.agent_id, body.version);
    const variables = body.variables ?? {};
    requireVariables(settings, variables);
    const conducted = await modelOf(deps, principal, settings);
    const holdMicros = holdOfTry(conducted);
    const tryId = tryIdSchema.parse(randomUUID());
    const begun = await deps.tries.store.begin({
      ...conducted,
      tryId,
      accountId: account.id,
      agentId: params.agent_id,
      agentVersion: version,
      variables,
      holdMicros,
      reservationId: reservationIdSchema.parse(randomUUID()),
    });
    if (begun.kind !== 'begun') throw refusalOfTry(begun, holdMicros, account.currency);
    await deps.tries.queue.add([callIdSchema.parse(tryId)]);
    const record = await deps.tries.store.find({ accountId: account.id, agentId: params.agent_id, tryId });
    if (record === null) throw new InvariantError('a try that was begun exists');
    return { status: 201, body: { try: presentTry(record, account.currency) } };
  });
}

async function settingsOf(
  deps: OwnAccountDeps,
  principal: AccountPrincipal,
  agentId: AgentId,
  asked: CreateTryBody['version'],
): Promise<{ readonly version: number; readonly settings: ConductedSettings }> {
  const { agents } = ownAccountOf(deps, principal);
  const agent = await agents.find(agentId);
  if (agent === null || agent.accountId !== principal.account.id) throw agentNotOwned();
  const version = asked ?? agent.version;
  const record = await agents.version(agentId, version);
  if (record === null) throw versionNotFound();
  if (record.settings.kind === 'unusable') {
    throw invalidRequest([{ param: 'version', message: 'has settings that are no longer valid: save them again' }]);
  }
  const { settings } = record.settings;
  if (settings.driver === 'scripted') throw scriptedAgent();
  return { version, settings };
}

function requireVariables(settings: ConductedSettings, given: Readonly<Record<string, string>>): void {
  const missing = requiredVariables(settings).filter((name) => !Object.hasOwn(given, name));
  if (missing.length === 0) return;
  throw invalidRequest(missing.map((name) => ({ param: `variables.${name}`, message: 'is required by this agent' })));
}

const ANSWERING: ReadonlySet<Component> = new Set(['realtime', 'llm']);

/** The model that answers, and what it delegates to, the first choice alone: the try shows how it talks. Ears and voice are not used. */
async function modelOf(
  { tries }: CreateTryDeps,
  { account }: AccountPrincipal,
  settings: ConductedSettings,
): Promise<ConductedCall> {
  const needs = modelNeeds(settings).filter(({ component, isFallback }) => ANSWERING.has(component) && !isFallback);
  const planned = await planModels(tries.models, account, { driver: settings.driver, needs, maxDurationSeconds: null });
  if (planned.kind !== 'planned') throw refusalOf(planned);
  return planned.conducted;
}

function versionNotFound(): ApiError {
  return new ApiError({
    code: 'agent_not_found',
    publicMessage: 'Your account does not own an agent with this ID that has this version.',
    param: 'version',
  });
}
