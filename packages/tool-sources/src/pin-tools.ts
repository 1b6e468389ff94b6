import { MCP_LIMITS, type ConductedSettings, type InvalidParam, type McpSource } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';
import { listedTools } from './listed-tools.ts';
import { keptListing } from './kept-listing.ts';
import { McpError } from './mcp-error.ts';
import { openMcpSession } from './mcp-session.ts';
import { ModelNames } from './model-names.ts';
import { Operation } from './operation.ts';
import { filledHeaders, withoutSecrets } from './secrets.ts';

export interface ListingDeps {
  /** Leads only where a customer's address may. */
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
}

export interface PinInput<Settings extends ConductedSettings> {
  readonly settings: Settings;
  /** The account's secrets by name. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Of the version that these settings replace. */
  readonly previous?: ConductedSettings['tools'];
  readonly signal: AbortSignal;
}

export type Pinned<Settings extends ConductedSettings> =
  | { readonly kind: 'pinned'; readonly settings: Settings }
  /** `param` is a path in the settings. */
  | { readonly kind: 'refused'; readonly problems: readonly InvalidParam[] };

/** Clients wait 10 s for an answer. */
const LIST_WITHIN_MS = 7_000;
const MAX_LISTING_BYTES = 1_024 * 1_024;
/** Of what a server writes. */
const MAX_MESSAGE = 300;

/** Whether saving these settings asks servers for their tools. */
export function hasMcpSources({ tools }: Pick<ConductedSettings, 'tools'>): boolean {
  return tools.some(({ type }) => type === 'mcp');
}

/**
 * Asks each MCP server of the settings for its tools, and writes them into the settings. Sends no more than that. A server that is
 * down keeps what it listed for the version before.
 */
export async function pinTools<Settings extends ConductedSettings>(
  deps: ListingDeps,
  input: PinInput<Settings>,
): Promise<Pinned<Settings>> {
  const { settings } = input;
  const answers = await Promise.all(
    settings.tools.map(async (tool, at) => (tool.type === 'mcp' ? list(deps, input, tool, `tools.${at}`) : null)),
  );
  const names = new ModelNames(settings);
  const problems: InvalidParam[] = [];
  let bytes = 0;
  const tools = settings.tools.map((tool, at): ConductedSettings['tools'][number] => {
    const answer = answers[at];
    if (tool.type !== 'mcp' || answer === null || answer === undefined) return tool;
    const maxBytes = MCP_LIMITS.listedBytes - bytes;
    if (answer.kind === 'failed') {
      const kept = answer.reason && keptListing(tool, answer.reason, { previous: input.previous ?? [], names });
      if (!kept || kept.bytes > maxBytes) {
        problems.push(answer.problem);
        return tool;
      }
      bytes += kept.bytes;
      return { ...tool, listed: { protocol_version: kept.protocolVersion, tools: [...kept.tools] } };
    }
    const listed = listedTools({ path: `tools.${at}`, source: tool, maxBytes, ...answer }, names);
    problems.push(...listed.problems);
    bytes += listed.bytes;
    return { ...tool, listed: { protocol_version: answer.protocolVersion, tools: [...listed.tools] } };
  });
  return problems.length === 0 ? { kind: 'pinned', settings: { ...settings, tools } } : { kind: 'refused', problems };
}

async function list(
  { fetch, clock }: ListingDeps,
  { secrets, signal }: PinInput<ConductedSettings>,
  { url, headers, timeout_ms: timeoutMs }: McpSource,
  path: string,
) {
  const filled = filledHeaders(headers, secrets);
  const values = [...secrets.values()];
  if (filled === null) {
    const problem = { param: `${path}.headers`, message: UNREADABLE };
    return { kind: 'failed', reason: null, problem } as const;
  }
  const limits = { clock, timeoutMs: Math.min(timeoutMs, LIST_WITHIN_MS), maxBytes: MAX_LISTING_BYTES, signal };
  const operation = new Operation(limits);
  try {
    const server = { url, headers: filled, protocolVersion: null };
    const session = await openMcpSession(server, { fetch, clock }, operation);
    try {
      const { protocolVersion } = session;
      return { kind: 'listed', tools: await session.listTools(operation), protocolVersion, secrets: values } as const;
    } finally {
      void session.close();
    }
  } catch (error) {
    if (!(error instanceof McpError)) throw error;
    // Without secrets first: a cut would leave the beginning of one.
    const why = withoutSecrets(error.message, values).slice(0, MAX_MESSAGE);
    const message = `must be an MCP server that lists its tools: ${why}`;
    return { kind: 'failed', reason: error.kind, problem: { param: `${path}.url`, message } } as const;
  } finally {
    operation.end();
  }
}

const UNREADABLE = 'needs a secret that cannot be read: save the secret again';
