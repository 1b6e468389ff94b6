import { setMaxListeners } from 'node:events';
import type { Act, FromMind, ToMind } from '@outdial/agents';
import { TRANSFER_LIMITS } from '@outdial/contracts';
import { unreachable, type Clock } from '@outdial/kernel';
import { parseArguments, type MindEvent, type OutsideTool, type ToolRunner } from '@outdial/minds';
import { OPT_OUT_PARAMETERS, parametersOf, type CallTool } from './call-tools.ts';
import type { CallToOpen } from './messages.ts';

type ToolCall = Extract<MindEvent, { kind: 'tool_call' }>;
type Arguments = Readonly<Record<string, unknown>>;

interface Result {
  readonly id: string;
  readonly output: string;
  readonly answer: boolean;
}

export interface ToolRunsOptions {
  readonly call: Pick<CallToOpen, 'callId' | 'accountId' | 'secrets'>;
  readonly tools: ReadonlyMap<string, CallTool>;
  readonly runner: ToolRunner;
  readonly clock: Clock;
  readonly post: (message: FromMind) => void;
  /** To the model. */
  readonly deliver: (result: Result) => void;
  readonly act: (id: string, act: Act) => void;
  readonly sayMeanwhile: (text: string) => void;
}

/** After this many wrong calls in a row, the model goes on without the tool. */
const MAX_WRONG_IN_A_ROW = 2;
const MAX_SHOWN_RESULT = 2_000;
const MAX_SHOWN_NAME = 64;
/** Of why a callee opted out. */
const MAX_NOTE = 500;
/** They are sent to a server and stored in the timeline. */
const MAX_ARGUMENTS = 16 * 1_024;
const GOES_ON = 'The callee spoke: the call goes on.';

/** The tool calls of one conversation. Those of one answer run together; their results go back in order. */
export class CallToolRuns {
  readonly #options: ToolRunsOptions;
  readonly #stopping = new AbortController();
  readonly #acting = new Map<string, { readonly done: (result: Result) => void }>();
  /** Acts of an answer whose sound may still come: a farewell is said before the call ends. */
  #held: ((wasCut: boolean) => void)[] = [];
  #delivered: Promise<void> = Promise.resolve();
  #wrongInARow = 0;

  constructor(options: ToolRunsOptions) {
    this.#options = options;
    // Every tool of the conversation listens to it.
    setMaxListeners(0, this.#stopping.signal);
  }

  called(call: ToolCall): void {
    const running = this.#run(call);
    this.#delivered = this.#delivered.then(async () => this.#options.deliver(await running));
  }

  acted({ id, output, answer }: Extract<ToMind, { kind: 'act_done' }>): void {
    this.#acting.get(id)?.done({ id, output, answer });
    this.#acting.delete(id);
  }

  /** The answer is complete: what it asked for is carried out. A callee who cut it off keeps the call. */
  answered({ wasCut }: { readonly wasCut: boolean }): void {
    const held = this.#held;
    this.#held = [];
    for (const act of held) act(wasCut);
  }

  /** What runs is ended; nothing more is reported. */
  stop(): void {
    this.#held = [];
    this.#stopping.abort();
  }

  #run({ id, name, argumentsText }: ToolCall): Promise<Result> {
    const tool = this.#options.tools.get(name);
    if (tool?.type === 'opt_out') return this.#optOut(id, name, argumentsText);
    if (tool === undefined)
      return Promise.resolve(this.#refuse(id, name.slice(0, MAX_SHOWN_NAME), {}, 'there is no tool of this name'));
    if (argumentsText.length > MAX_ARGUMENTS)
      return Promise.resolve(this.#refuse(id, name, {}, `the arguments have more than ${MAX_ARGUMENTS} characters`));
    const parsed = parseArguments(argumentsText, parametersOf(tool));
    if (parsed.kind === 'invalid') return Promise.resolve(this.#refuse(id, name, {}, parsed.message));
    this.#wrongInARow = 0;
    switch (tool.type) {
      case 'http':
      case 'mcp':
        return this.#runOutside(id, tool, parsed.arguments);
      case 'end_call':
        return this.#act(id, name, parsed.arguments, { kind: 'end_call', reason: textOf(parsed.arguments['reason']) });
      case 'press_digits': {
        const digits = textOf(parsed.arguments['digits']) ?? '';
        return this.#act(id, name, parsed.arguments, { kind: 'press_digits', digits });
      }
      case 'leave_voicemail':
        return this.#act(id, name, parsed.arguments, { kind: 'leave_voicemail' });
      case 'transfer_call': {
        const destination = textOf(parsed.arguments['destination']) ?? '';
        // Only a warm transfer has it. A model may write more than it was asked for.
        const summary =
          tool.mode === 'warm' ? textOf(parsed.arguments['summary'])?.slice(0, TRANSFER_LIMITS.summary) : null;
        const said = summary === null || summary === undefined ? {} : { summary };
        return this.#act(id, name, parsed.arguments, { kind: 'transfer', tool: name, destination, ...said });
      }
      default:
        return unreachable(tool);
    }
  }

  /**
   * The wish counts whatever the arguments are, and even if the callee hangs up before the answer is complete: it is
   * reported at once, and only its confirmation waits.
   */
  #optOut(id: string, name: string, argumentsText: string): Promise<Result> {
    const parsed = parseArguments(argumentsText, OPT_OUT_PARAMETERS);
    const note = parsed.kind === 'valid' ? textOf(parsed.arguments['reason']) : null;
    const reason = note?.slice(0, MAX_NOTE) ?? null;
    this.#options.post({ kind: 'opted_out', note: reason });
    return this.#act(id, name, reason === null ? {} : { reason }, { kind: 'opt_out', reason });
  }

  #refuse(id: string, name: string, given: Arguments, problem: string): Result {
    this.#wrongInARow += 1;
    const isLast = this.#wrongInARow > MAX_WRONG_IN_A_ROW;
    const result = { name, arguments: given, result: problem, outcome: 'refused', durationMs: 0 } as const;
    this.#options.post({ kind: 'tool_called', ...result, answers: true });
    return { id, output: isLast ? 'The tool cannot be used. Go on without it.' : `error: ${problem}`, answer: true };
  }

  #act(id: string, name: string, given: Arguments, act: Act): Promise<Result> {
    const durationMs = 0;
    const answers = act.kind === 'press_digits';
    const note = { name, arguments: given, result: null, outcome: 'ok', durationMs, answers } as const;
    return new Promise((resolve) => {
      this.#held.push((wasCut) => {
        if (wasCut && (act.kind === 'end_call' || act.kind === 'transfer'))
          return resolve({ id, output: GOES_ON, answer: false });
        this.#acting.set(id, { done: resolve });
        this.#options.post({ kind: 'tool_called', ...note });
        this.#options.act(id, act);
      });
    });
  }

  async #runOutside(id: string, tool: OutsideTool, given: Arguments): Promise<Result> {
    const { call, runner, clock, post, sayMeanwhile } = this.#options;
    const startedAtMs = clock.monotonicMs();
    const answers = tool.speak.after === 'model';
    post({ kind: 'tool_started' });
    if (tool.speak.while_running !== undefined) sayMeanwhile(tool.speak.while_running);
    const { kind, output } = await runner.run({
      accountId: call.accountId,
      callId: call.callId,
      toolCallId: id,
      tool,
      arguments: given,
      secrets: call.secrets,
      signal: this.#stopping.signal,
    });
    const durationMs = clock.monotonicMs() - startedAtMs;
    const result = output.slice(0, MAX_SHOWN_RESULT);
    post({ kind: 'tool_called', name: tool.name, arguments: given, result, outcome: kind, durationMs, answers });
    return { id, output, answer: answers };
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
