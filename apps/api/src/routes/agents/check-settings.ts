import { destinationProblem, type Directory } from '@outdial/calls';
import {
  modelNeeds,
  secretUsesOf,
  settingsProblems,
  transferTargetOf,
  type AccountId,
  type AgentSettings,
  type ConductedSettings,
  type InvalidParam,
  type TransferToolSettings,
} from '@outdial/contracts';
import type { EgressClient } from '@outdial/egress';
import type { NamedCredential } from '@outdial/persistence';
import { invalidRequest } from '../../http/api-error.ts';

export interface CheckSettingsDeps {
  readonly egress: Pick<EgressClient, 'check'>;
  /** The account's credentials, and the operator's. */
  readonly findCredentialNames: (accountId: AccountId) => Promise<readonly NamedCredential[]>;
  readonly findSecretNames: (accountId: AccountId) => Promise<readonly string[]>;
  readonly transferDirectory: Pick<Directory, 'findAccount' | 'rateDeck'>;
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
    ...(await destinationProblems(deps, accountId, settings)),
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

/** Each call asks again: rates change, and an agent may serve other accounts. */
async function destinationProblems(
  { transferDirectory: directory }: CheckSettingsDeps,
  accountId: AccountId,
  { tools }: ConductedSettings,
): Promise<readonly InvalidParam[]> {
  const numbers = tools.flatMap((tool, at) => (tool.type === 'transfer_call' ? destinationNumbers(tool, at) : []));
  const account = numbers.length === 0 ? null : await directory.findAccount(accountId);
  if (account === null) return [];
  const deck = await directory.rateDeck(account.currency);
  return numbers.flatMap(({ param, number }) => {
    const message = destinationProblem({ account, deck }, number);
    return message === null ? [] : [{ param, message }];
  });
}

/** A SIP address has no rate: the trunk that carries the call says whether it may be called. */
function destinationNumbers({ destinations }: TransferToolSettings, at: number) {
  return destinations.flatMap(({ to_number: text }, index) => {
    const target = transferTargetOf(text);
    const param = `tools.${at}.destinations.${index}.to_number`;
    return target?.kind === 'number' ? [{ param, number: target.number }] : [];
  });
}

interface CredentialUse extends NamedCredential {
  readonly param: string;
}

function namedCredentials(settings: ConductedSettings): readonly CredentialUse[] {
  const ofCall = modelNeeds(settings).flatMap(({ component, path, provider, credential }) => {
    // A realtime model transcribes and delegates with its own credential, which stands in the settings once.
    if (credential === null || (settings.driver === 'realtime' && component !== 'realtime')) return [];
    return [{ param: `${path}.credential`, provider, name: credential }];
  });
  const { provider, credential } = settings.analysis?.llm ?? {};
  if (provider === undefined || credential === undefined) return ofCall;
  return [...ofCall, { param: 'analysis.llm.credential', provider, name: credential }];
}
