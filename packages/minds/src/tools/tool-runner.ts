import type { HttpToolSettings } from '@outdial/contracts';

export interface ToolRun {
  readonly accountId: string;
  readonly callId: string;
  readonly toolCallId: string;
  readonly tool: HttpToolSettings;
  /** They fit the tool's parameters. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The account's secrets by name, for `{{secret.NAME}}` in headers. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
}

/** `output` is for the model, and holds no secret. */
export interface ToolOutcome {
  readonly kind: 'ok' | 'failed';
  readonly output: string;
}

/** Runs the tools of models that act outside of the call. Never rejects. */
export interface ToolRunner {
  run(run: ToolRun): Promise<ToolOutcome>;
}
