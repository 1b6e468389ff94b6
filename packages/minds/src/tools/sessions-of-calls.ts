import type { Clock } from '@outdial/kernel';
import { openMcpSession, Operation, type McpSession } from '@outdial/tool-sources';
import type { McpTool, ToolRun } from './tool-runner.ts';

interface SessionsOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
}

interface KnownSession {
  readonly opening: Promise<McpSession>;
  /** Null: its handshake is under way. */
  session: McpSession | null;
}

const MAX_HANDSHAKE_BYTES = 64 * 1_024;

/** The sessions with MCP servers, one for each server of a call: they begin with its first tool and end with the call. */
export class SessionsOfCalls {
  readonly #options: SessionsOptions;
  readonly #sessions = new Map<string, KnownSession>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** @throws McpError */
  async of(run: ToolRun<McpTool>, headers: Readonly<Record<string, string>>): Promise<McpSession> {
    const key = keyOf(run);
    const known = this.#sessions.get(key);
    if (known !== undefined) return known.opening;
    const opened: KnownSession = { opening: this.#open(run, headers), session: null };
    this.#sessions.set(key, opened);
    const leave = () => this.#close(key, opened);
    run.signal.addEventListener('abort', leave, { once: true });
    try {
      opened.session = await opened.opening;
      return opened.session;
    } catch (error) {
      if (this.#sessions.get(key) === opened) this.#sessions.delete(key);
      run.signal.removeEventListener('abort', leave);
      throw error;
    }
  }

  /** The server knows it no more: the next tool begins another. Closing it would fail the tools that still wait for its answers. */
  forget(run: ToolRun<McpTool>, session: McpSession): void {
    // Another tool may have begun the next one by now.
    if (this.#sessions.get(keyOf(run))?.session === session) this.#sessions.delete(keyOf(run));
  }

  async #open({ tool, signal }: ToolRun<McpTool>, headers: Readonly<Record<string, string>>): Promise<McpSession> {
    const { source, timeout_ms: timeoutMs } = tool;
    const { clock } = this.#options;
    const operation = new Operation({ clock, timeoutMs, maxBytes: MAX_HANDSHAKE_BYTES, signal });
    const protocolVersion = source.listed?.protocol_version ?? null;
    try {
      return await openMcpSession({ url: source.url, headers, protocolVersion }, this.#options, operation);
    } finally {
      operation.end();
    }
  }

  #close(key: string, known: KnownSession): void {
    if (this.#sessions.get(key) === known) this.#sessions.delete(key);
    void known.opening.then(
      (open) => open.close(),
      () => undefined,
    );
  }
}

const keyOf = ({ callId, tool }: ToolRun<McpTool>): string => `${callId} ${tool.source.name}`;
