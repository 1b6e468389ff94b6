import type { McpServer, ServerContext, ToolAnnotations } from '@modelcontextprotocol/server';
import type { Outdial } from '@outdial/sdk';
import type { z } from 'zod';
import { UNTRUSTED } from '../shapes/call.ts';
import { refusal } from '../refusal.ts';

/** Resolves after `ms`; rejects once the signal is aborted. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export interface ToolDeps {
  /** A client with the key of the caller. */
  readonly outdial: Outdial;
  readonly sleep: Sleep;
  /** Aborted when the server is about to stop: a tool that waits answers with what it knows. */
  readonly ending: AbortSignal;
  /** Called with what no tool expects. The client learns only that there was an internal error. */
  readonly onDefect: (error: unknown) => void;
}

/** What a tool has while it works on one request. */
export interface ToolContext extends ToolDeps {
  /** Aborted when the client cancels the request or disconnects. */
  readonly signal: AbortSignal;
  /** Sends progress to a client that asked for it. */
  readonly progress: (message: string) => Promise<void>;
}

/** A tool over the client of the HTTP interface. */
export interface Tool<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly hints: Hints;
  readonly input: Input;
  readonly output: Output;
  /** The result carries words from the telephone line. */
  readonly hasUntrustedText?: true;
  /** @throws OutdialError, Refused */
  run(input: z.output<Input>, context: ToolContext): Promise<z.output<Output>>;
}

type Hints = Required<Omit<ToolAnnotations, 'title'>>;

export const READS: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Adds a tool to a server. A refusal is a result with `isError`, which the model reads. */
export function addTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  server: McpServer,
  deps: ToolDeps,
  tool: Tool<Input, Output>,
): void {
  const { name, title, description, hints, input, output } = tool;
  // Without its shape: the server's types would otherwise ask for that of each tool.
  const inputSchema: z.ZodObject = input;
  const notes = tool.hasUntrustedText === true ? [{ type: 'text', text: UNTRUSTED } as const] : [];
  const config = { title, description, annotations: { title, ...hints }, inputSchema, outputSchema: output };
  server.registerTool(name, config, async (given, context) => {
    const { signal } = context.mcpReq;
    try {
      const result = await tool.run(input.parse(given), { ...deps, signal, progress: progressOf(context) });
      const text = JSON.stringify(result);
      return { content: [...notes, { type: 'text', text }], structuredContent: output.parse(result) };
    } catch (error) {
      if (signal.aborted) throw error;
      return refusal(error, deps.onDefect);
    }
  });
}

function progressOf({ mcpReq }: ServerContext): ToolContext['progress'] {
  // The name is that of the protocol.
  const progressToken = mcpReq['_meta']?.progressToken;
  let progress = 0;
  return async (message) => {
    if (progressToken === undefined) return;
    progress += 1;
    await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message } });
  };
}
