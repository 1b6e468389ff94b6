import { requiredVariables, type AgentId, type ConductedSettings } from '@outdial/contracts';
import { ApiError, invalidRequest } from '../../http/api-error.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';
import type { AccountPrincipal } from '../../http/principal.ts';
import { agentNotOwned } from '../agents/agent-params.ts';

/** A version of an agent that the account owns, which a model conducts. */
export async function conductedVersion(
  deps: OwnAccountDeps,
  principal: AccountPrincipal,
  agentId: AgentId,
  asked: number | undefined,
  scripted: () => ApiError,
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
  if (settings.driver === 'scripted') throw scripted();
  return { version, settings };
}

/** @param path of the variables in the request */
export function requireVariables(
  settings: ConductedSettings,
  given: Readonly<Record<string, string>>,
  path: string,
): void {
  const missing = requiredVariables(settings).filter((name) => !Object.hasOwn(given, name));
  if (missing.length === 0) return;
  throw invalidRequest(missing.map((name) => ({ param: `${path}.${name}`, message: 'is required by this agent' })));
}

function versionNotFound(): ApiError {
  return new ApiError({
    code: 'agent_not_found',
    publicMessage: 'Your account does not own an agent with this ID that has this version.',
    param: 'version',
  });
}
