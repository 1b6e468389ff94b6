import { randomUUID } from 'node:crypto';
import { planModels, type CallQueue, type ConductedCall, type ModelDirectories } from '@outdial/calls';
import {
  callIdSchema,
  reservationIdSchema,
  tryIdSchema,
  type ConductedSettings,
  type TryMedium,
} from '@outdial/contracts';
import { InvariantError } from '@outdial/kernel';
import type { TryStore } from '@outdial/persistence';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import type { OwnAccountDeps } from '../../http/own-account.ts';
import type { AccountPrincipal } from '../../http/principal.ts';
import { refusalOf } from '../create-call/refusal.ts';
import { modelsOfTry } from './answering-models.ts';
import { conductedVersion, requireVariables } from './conducted-version.ts';
import { createTryContract } from './contracts.ts';
import { holdOfTry } from './hold.ts';
import { presentTry } from './present-try.ts';
import { microphoneOfProgram, refusalOfTry, scriptedAgent } from './refusals.ts';

export interface CreateTryDeps extends OwnAccountDeps {
  readonly tries: {
    readonly store: Pick<TryStore, 'begin' | 'find'>;
    readonly queue: Pick<CallQueue, 'add'>;
    readonly models: ModelDirectories;
  };
}

export function createTryRoute(deps: CreateTryDeps): AccountRoute {
  return defineRoute(createTryContract, async ({ principal, params, body }) => {
    const { account, caller } = principal;
    const medium = body.medium ?? 'text';
    if (medium === 'microphone' && caller.kind !== 'session') throw microphoneOfProgram();
    const { version, settings } = await conductedVersion(deps, principal, params.agent_id, body.version, scriptedAgent);
    const variables = body.variables ?? {};
    requireVariables(settings, variables, 'variables');
    const conducted = await modelsFor(deps, principal, settings, medium);
    const holdMicros = holdOfTry(conducted);
    const tryId = tryIdSchema.parse(randomUUID());
    const begun = await deps.tries.store.begin({
      ...conducted,
      tryId,
      accountId: account.id,
      agentId: params.agent_id,
      agentVersion: version,
      medium,
      userId: caller.kind === 'session' ? caller.session.user.id : null,
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

/** Without fallbacks: a try shows how the first choice talks. */
async function modelsFor(
  { tries }: CreateTryDeps,
  { account }: AccountPrincipal,
  settings: ConductedSettings,
  medium: TryMedium,
): Promise<ConductedCall> {
  const needs = modelsOfTry(settings, medium);
  const planned = await planModels(tries.models, account, { driver: settings.driver, needs, maxDurationSeconds: null });
  if (planned.kind !== 'planned') throw refusalOf(planned);
  return planned.conducted;
}
