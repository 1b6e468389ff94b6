import type { Clock } from '@outdial/kernel';
import { filledHeaders, McpError, Operation, resultText, withoutSecrets, type McpSession } from '@outdial/tool-sources';
import { SessionsOfCalls } from './sessions-of-calls.ts';
import {
  MAX_OUTPUT_BYTES,
  MISSING_SECRET,
  type McpTool,
  type ToolOutcome,
  type ToolRun,
  type ToolRunner,
} from './tool-runner.ts';

export interface McpToolRunnerOptions {
  /** Leads only where a customer's address may. */
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
}

/** A result may have images and the like, which no model hears of. */
const MAX_RESPONSE_BYTES = 256 * 1_024;
const NO_TEXT = 'done: the tool returned no text';

/** Runs the tools of MCP servers. What the agent's version does not have is never asked for. */
export function createMcpToolRunner(options: McpToolRunnerOptions): ToolRunner<McpTool> {
  return new McpToolRunner(options);
}

type Attempt =
  | { readonly kind: 'done'; readonly outcome: ToolOutcome }
  /** `wasCalled`: the server may have received the tool call. */
  | { readonly kind: 'failed'; readonly error: McpError; readonly wasCalled: boolean };

class McpToolRunner implements ToolRunner<McpTool> {
  readonly #clock: Clock;
  readonly #sessions: SessionsOfCalls;

  constructor(options: McpToolRunnerOptions) {
    this.#clock = options.clock;
    this.#sessions = new SessionsOfCalls(options);
  }

  async run(run: ToolRun<McpTool>): Promise<ToolOutcome> {
    const { tool, secrets, signal } = run;
    const headers = filledHeaders(tool.source.headers, secrets);
    if (headers === null) return MISSING_SECRET;
    const limits = { clock: this.#clock, timeoutMs: tool.timeout_ms, maxBytes: MAX_RESPONSE_BYTES, signal };
    const operation = new Operation(limits);
    try {
      const first = await this.#attempt(run, headers, operation);
      const last = isRetried(first, run) ? await this.#attempt(run, headers, operation) : first;
      return last.kind === 'done' ? last.outcome : failed(`the request failed: ${last.error.message}`, run);
    } finally {
      operation.end();
    }
  }

  async #attempt(
    run: ToolRun<McpTool>,
    headers: Readonly<Record<string, string>>,
    operation: Operation,
  ): Promise<Attempt> {
    let session: McpSession | null = null;
    try {
      session = await operation.run(() => this.#sessions.of(run, headers));
      const { callId, toolCallId, tool, arguments: given } = run;
      const { server_name: name, parameters } = tool.listed;
      const call = { id: `${callId}/${toolCallId}`, tool: { name, parameters }, arguments: given };
      const result = await session.callTool(call, operation);
      const text = resultText(result);
      const outcome = result.isError === true ? failed(`the tool reports an error: ${text}`, run) : done(text, run);
      return { kind: 'done', outcome };
    } catch (error) {
      const known = error instanceof McpError ? error : new McpError('invalid_response', UNREADABLE, { cause: error });
      if (known.kind === 'session_lost' && session !== null) this.#sessions.forget(run, session);
      return { kind: 'failed', error: known, wasCalled: session !== null };
    }
  }
}

const UNREADABLE = 'the result cannot be read';

/** At most once, as for HTTP tools: only where the server did nothing, or says that a repetition does no harm. */
function isRetried(attempt: Attempt, { tool }: ToolRun<McpTool>): boolean {
  if (attempt.kind === 'done') return false;
  const { error, wasCalled } = attempt;
  switch (error.kind) {
    case 'unsent':
    case 'session_lost':
      return true;
    case 'away':
      return !wasCalled || tool.listed.idempotent;
    case 'refused':
    case 'redirected':
    case 'timed_out':
    case 'too_much':
    case 'invalid_response':
    case 'connection_lost':
      return false;
    default:
      return error.kind satisfies never;
  }
}

const done = (text: string, run: ToolRun<McpTool>): ToolOutcome => ({
  kind: 'ok',
  output: text === '' ? NO_TEXT : shown(text, run),
});
const failed = (text: string, run: ToolRun<McpTool>): ToolOutcome => ({ kind: 'failed', output: shown(text, run) });

/** Without secrets first: a cut would leave the beginning of one. */
function shown(text: string, { secrets }: ToolRun<McpTool>): string {
  const clean = withoutSecrets(text, [...secrets.values()]);
  const bytes = Buffer.from(clean);
  if (bytes.length <= MAX_OUTPUT_BYTES) return clean;
  // A stream keeps the half of a character to itself.
  return `${new TextDecoder().decode(bytes.subarray(0, MAX_OUTPUT_BYTES), { stream: true })}\n(cut)`;
}
