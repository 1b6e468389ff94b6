import type { HttpToolSettings, ListedTool, McpSource } from '@outdial/contracts';

/** A tool of an MCP server, as the agent's version has it. */
export interface McpTool
  extends Pick<McpSource, 'type' | 'speak' | 'timeout_ms'>, Pick<ListedTool, 'name' | 'parameters'> {
  readonly description: string;
  readonly source: McpSource;
  readonly listed: ListedTool;
}

/** A tool that acts outside of the call. */
export type OutsideTool = HttpToolSettings | McpTool;

export interface ToolRun<Tool extends OutsideTool = OutsideTool> {
  readonly accountId: string;
  readonly callId: string;
  readonly toolCallId: string;
  readonly tool: Tool;
  /** They fit the tool's parameters. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The account's secrets by name, for `{{secret.NAME}}` in headers. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Aborts when the call is over. */
  readonly signal: AbortSignal;
}

/** `output` is for the model, and holds no secret. */
export interface ToolOutcome {
  readonly kind: 'ok' | 'failed';
  readonly output: string;
}

/** Runs the tools of models that act outside of the call. Never rejects. */
export interface ToolRunner<Tool extends OutsideTool = OutsideTool> {
  run(run: ToolRun<Tool>): Promise<ToolOutcome>;
}

/** What a model reads of an answer. */
export const MAX_OUTPUT_BYTES = 16 * 1_024;

export const MISSING_SECRET: ToolOutcome = {
  kind: 'failed',
  output: 'a secret that this tool needs does not exist',
};
