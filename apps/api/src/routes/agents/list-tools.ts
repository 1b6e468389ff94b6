import type { AccountId, AgentSettings, SecretName } from '@outdial/contracts';
import { secretNameSchema, secretNamesOf, settingsProblems } from '@outdial/contracts';
import { withDeadline, type Clock } from '@outdial/kernel';
import type { SecretKey } from '@outdial/secrets';
import { hasMcpSources, pinTools } from '@outdial/tool-sources';
import { ApiError, invalidRequest } from '../../http/api-error.ts';
import type { CheckLimit } from '../../http/check-limit.ts';
import { requireUsable, type CheckSettingsDeps } from './check-settings.ts';

export interface ListToolsDeps extends CheckSettingsDeps {
  readonly clock: Clock;
  readonly secretKey: SecretKey | null;
  /** Opened, by name. */
  readonly openSecrets: (
    accountId: AccountId,
    names: readonly SecretName[],
    secretKey: SecretKey,
  ) => Promise<ReadonlyMap<string, string>>;
  /** Leads only where a customer's address may. */
  readonly toolFetch: typeof globalThis.fetch;
  readonly listingLimit: CheckLimit;
  /** Aborts while the process shuts down. */
  readonly stopping: AbortSignal;
}

/** The settings with the tools of their MCP servers. @throws ApiError */
export type ListTools = (
  accountId: AccountId,
  settings: AgentSettings,
  /** Settings that these replace, if there are any: a server that is down keeps the tools that they have of it. */
  readPrevious?: () => Promise<AgentSettings | null>,
) => Promise<AgentSettings>;

/** Of one account at a time, in this process: each waits for up to four servers, and holds what they send. */
const MAX_OF_ACCOUNT = 2;
/** For what Postgres knows. */
const LOOK_UP_WITHIN_MS = 1_000;
const RETRY_SECONDS = 10;

/** Asks the MCP servers of settings that are saved for their tools. Nothing is asked before the rest is known to be right. */
export function createListTools(deps: ListToolsDeps): ListTools {
  const running = new Map<AccountId, number>();

  async function within<Result>(accountId: AccountId, list: () => Promise<Result>): Promise<Result> {
    const others = running.get(accountId) ?? 0;
    if (others >= MAX_OF_ACCOUNT) throw tooMany();
    running.set(accountId, others + 1);
    try {
      return await list();
    } finally {
      const left = (running.get(accountId) ?? 1) - 1;
      if (left === 0) running.delete(accountId);
      else running.set(accountId, left);
    }
  }

  return async (accountId, settings, readPrevious) => {
    if (settings.driver === 'scripted' || !hasMcpSources(settings)) return settings;
    if (settingsProblems(settings).length > 0) return settings;
    const dueMs = deps.clock.monotonicMs() + LOOK_UP_WITHIN_MS;
    const secrets = await withDeadline(deps.clock, dueMs, lookUp(deps, accountId, settings));
    const previous = (await readPrevious?.()) ?? null;
    const tools = previous === null || previous.driver === 'scripted' ? [] : previous.tools;
    const exchange = { fetch: deps.toolFetch, clock: deps.clock };
    const pinned = await within(accountId, () =>
      pinTools(exchange, { settings, secrets, previous: tools, signal: deps.stopping }),
    );
    if (pinned.kind === 'pinned') return pinned.settings;
    throw invalidRequest(pinned.problems.map(({ param, message }) => ({ param: `settings.${param}`, message })));
  };
}

async function lookUp(
  deps: ListToolsDeps,
  accountId: AccountId,
  settings: Exclude<AgentSettings, { readonly driver: 'scripted' }>,
): Promise<ReadonlyMap<string, string>> {
  await requireUsable(deps, accountId, settings);
  await deps.listingLimit(accountId);
  const names = secretNamesOf(settings).map((name) => secretNameSchema.parse(name));
  // Without the key no secret opens, and the header that needs one is refused.
  return names.length === 0 || deps.secretKey === null ? new Map() : deps.openSecrets(accountId, names, deps.secretKey);
}

function tooMany(): ApiError {
  return new ApiError({
    code: 'rate_limited',
    publicMessage: `The account saves ${MAX_OF_ACCOUNT} agents with MCP servers already. Wait until they are saved.`,
    details: { scope: 'account', thing: 'tool_listings', max: MAX_OF_ACCOUNT },
    retryAfterSeconds: RETRY_SECONDS,
  });
}
