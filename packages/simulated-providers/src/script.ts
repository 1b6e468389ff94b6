/** What the simulated model does in one answer. */
export interface Reply {
  readonly say?: string;
  readonly tool?: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };
  /** How long the model thinks. Default: the provider's. */
  readonly delayMs?: number;
}

/** What the model answers to: the callee's words, a tool's result, or nothing: it speaks first. */
export type Prompt =
  | { readonly kind: 'callee'; readonly text: string }
  | { readonly kind: 'tool_result'; readonly name: string; readonly output: string }
  | { readonly kind: 'none' };

export interface Rule extends Reply {
  /** Matched against the callee's words, or the output of a tool. */
  readonly when: RegExp;
}

export interface Script {
  /** The answer to a prompt without words. */
  readonly opening: Reply;
  readonly rules: readonly Rule[];
  /** Where no rule matches. */
  readonly otherwise: Reply;
  /** What the model answers in another role, which it knows by its instructions: the first that matches. */
  readonly roles?: readonly Role[];
}

/** Such as a simulated callee, or a judge of conversations. */
export interface Role extends Omit<Script, 'roles'> {
  readonly instructions: RegExp;
}

export function scriptOf(script: Script, instructions: string): Omit<Script, 'roles'> {
  return script.roles?.find((role) => role.instructions.test(instructions)) ?? script;
}

export function replyTo(script: Omit<Script, 'roles'>, prompt: Prompt): Reply {
  if (prompt.kind === 'none') return script.opening;
  const text = prompt.kind === 'callee' ? prompt.text : prompt.output;
  return script.rules.find(({ when }) => when.test(text)) ?? script.otherwise;
}
