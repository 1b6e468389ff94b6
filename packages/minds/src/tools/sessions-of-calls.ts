import type { Clock } from '@outdial/kernel';
import { openMcpSession, Operation, type McpSession } from '@outdial/tool-sources';
import type { McpTool, ToolRun } from './tool-runner.ts';

interface SessionsOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
}

const MAX_HANDSHAKE_BYTES = 64 * 1_024;

/** The sessions with MCP servers, one for each server of a call: they begin with its first tool and end with the call. */
export class SessionsOfCalls {
  readonly #options: SessionsOptions;
  readonly #sessions = new Map<string, Promise<McpSession>>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** @throws McpError */
  async of(run: ToolRun<McpTool>, headers: Readonly<Record<string, string>>): Promise<McpSession> {
    const key = keyOf(run);
    const known = this.#sessions.get(key);
    if (known !== undefined) return known;
    const opening = this.#open(run, headers);
    this.#sessions.set(key, opening);
    const leave = () => this.#close(key, opening);
    run.signal.addEventListener('abort', leave, { once: true });
    try {
      return await opening;
    } catch (error) {
      if (this.#sessions.get(key) === opening) this.#sessions.delete(key);
      run.signal.removeEventListener('abort', leave);
      throw error;
    }
  }

  /** The server knows it no more: the next tool begins another. */
  forget(run: ToolRun<McpTool>): void {
    const session = this.#sessions.get(keyOf(run));
    if (session !== undefined) this.#close(keyOf(run), session);
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

  #close(key: string, session: Promise<McpSession>): void {
    if (this.#sessions.get(key) === session) this.#sessions.delete(key);
    void session.then(
      (open) => open.close(),
      () => undefined,
    );
  }
}

const keyOf = ({ callId, tool }: ToolRun<McpTool>): string => `${callId} ${tool.source.name}`;
