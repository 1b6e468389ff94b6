import {
  modelNeeds,
  secretUsesOf,
  settingsProblems,
  type AccountId,
  type AgentSettings,
  type ConductedSettings,
  type InvalidParam,
} from '@outdial/contracts';
import type { EgressClient } from '@outdial/egress';
import type { NamedCredential } from '@outdial/persistence';
import { invalidRequest } from '../../http/api-error.ts';

export interface CheckSettingsDeps {
  readonly egress: Pick<EgressClient, 'check'>;
  /** The account's credentials, and the operator's. */
  readonly findCredentialNames: (accountId: AccountId) => Promise<readonly NamedCredential[]>;
  readonly findSecretNames: (accountId: AccountId) => Promise<readonly string[]>;
}

/**
 * Rejects settings that would fail every call, with the path of each problem in the request.
 * @throws ApiError `invalid_request`
 */
export async function requireUsable(
  deps: CheckSettingsDeps,
  accountId: AccountId,
  settings: AgentSettings,
): Promise<void> {
  if (settings.driver === 'scripted') return;
  const problems = [
    ...settingsProblems(settings),
    ...urlProblems(deps, settings),
    ...(await credentialProblems(deps, accountId, settings)),
    ...(await secretProblems(deps, accountId, settings)),
  ];
  if (problems.length === 0) return;
  throw invalidRequest(problems.map(({ param, message }) => ({ param: `settings.${param}`, message })));
}

function urlProblems({ egress }: CheckSettingsDeps, { tools }: ConductedSettings): readonly InvalidParam[] {
  return tools.flatMap((tool, index) => {
    if (tool.type !== 'http' && tool.type !== 'mcp') return [];
    const check = egress.check(tool.url, 'allow_list');
    return check.ok ? [] : [{ param: `tools.${index}.url`, message: check.problem }];
  });
}

async function credentialProblems(
  { findCredentialNames }: CheckSettingsDeps,
  accountId: AccountId,
  settings: ConductedSettings,
): Promise<readonly InvalidParam[]> {
  const named = namedCredentials(settings);
  if (named.length === 0) return [];
  const known = await findCredentialNames(accountId);
  return named.flatMap(({ param, provider, name }) => {
    if (known.some((credential) => credential.provider === provider && credential.name === name)) return [];
    const isOfAnother = known.some((credential) => credential.name === name);
    const message = isOfAnother
      ? `must be a credential for ${provider}: this one is for another provider`
      : `must name a credential for ${provider}: your account has none of this name`;
    return [{ param, message }];
  });
}

async function secretProblems(
  { findSecretNames }: CheckSettingsDeps,
  accountId: AccountId,
  settings: ConductedSettings,
): Promise<readonly InvalidParam[]> {
  const used = secretUsesOf(settings);
  if (used.length === 0) return [];
  const known = new Set(await findSecretNames(accountId));
  return used.flatMap(({ name, path }) =>
    known.has(name) ? [] : [{ param: path, message: `needs the secret ${name}: your account has none of this name` }],
  );
}

interface CredentialUse extends NamedCredential {
  readonly param: string;
}

function namedCredentials(settings: ConductedSettings): readonly CredentialUse[] {
  const ofCall = modelNeeds(settings).flatMap(({ component, path, provider, credential }) => {
    // A realtime model transcribes with its own credential, which stands in the settings once.
    if (credential === null || (settings.driver === 'realtime' && component === 'stt')) return [];
    return [{ param: `${path}.credential`, provider, name: credential }];
  });
  const { provider, credential } = settings.analysis?.llm ?? {};
  if (provider === undefined || credential === undefined) return ofCall;
  return [...ofCall, { param: 'analysis.llm.credential', provider, name: credential }];
}
