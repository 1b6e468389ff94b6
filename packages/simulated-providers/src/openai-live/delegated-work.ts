import type { ProviderLedger } from '../ledger.ts';
import { textTokens } from '../openai-realtime/token-count.ts';
import type { DelegatedEvent, ServerMessage } from './server-events.ts';

export interface DelegatedWorkInput {
  /** Part of every id, which no other session of the provider uses. */
  readonly name: string;
  readonly instructions: string;
  readonly send: (message: ServerMessage) => void;
  readonly offsetMs: () => number;
  readonly ledger: Pick<ProviderLedger, 'add'>;
}

/** What the live model hands to a Responses model, which calls functions and answers with their results. */
export class DelegatedWork {
  readonly #input: DelegatedWorkInput;
  /** Calls without an output, by name. */
  readonly #open = new Map<string, string>();
  #outputs: { readonly name: string; readonly output: string }[] = [];
  #delegation = '';
  #ids = 0;
  #readTokens = 0;
  #wroteTokens: number;

  constructor(input: DelegatedWorkInput) {
    this.#input = input;
    this.#wroteTokens = textTokens(input.instructions);
  }

  call(name: string, args: Readonly<Record<string, unknown>>): void {
    const response = this.#id('resp');
    this.#delegation = this.#id('delegation');
    const delegation = {
      id: this.#delegation,
      type: 'delegation',
      target: 'responses',
      response_id: response,
    } as const;
    this.#input.send({ type: 'session.delegation.created', delegation, offset_ms: this.#input.offsetMs() });
    const callId = this.#id('call');
    const text = JSON.stringify(args);
    this.#open.set(callId, name);
    this.#respond(response, text, {
      id: this.#id('fc'),
      type: 'function_call',
      status: 'completed',
      call_id: callId,
      name,
      arguments: text,
    });
  }

  /** Null: taken. A text: why it is not. */
  output(callId: string, output: string): string | null {
    const name = this.#open.get(callId);
    if (name === undefined) return `No tool call found for function call output with call_id ${callId}.`;
    this.#open.delete(callId);
    this.#outputs.push({ name, output });
    this.#wroteTokens += textTokens(output);
    return null;
  }

  /** Goes on with the outputs, and returns the newest. A text: why it does not. */
  continue(): { readonly name: string; readonly output: string } | string {
    const [unanswered] = this.#open.keys();
    if (unanswered !== undefined) return `No tool output found for function call ${unanswered}.`;
    const last = this.#outputs.at(-1);
    if (last === undefined) return 'There is no delegated response to continue.';
    this.#outputs = [];
    this.#respond(this.#id('resp'), last.output, { id: this.#id('msg'), type: 'message', status: 'completed' });
    return last;
  }

  #respond(
    id: string,
    text: string,
    item: Extract<DelegatedEvent, { type: 'response.output_item.done' }>['item'],
  ): void {
    const cached = this.#readTokens;
    const output = textTokens(text) + 1;
    const input = this.#wroteTokens;
    this.#readTokens = input;
    this.#wroteTokens += output;
    const usage = { input_tokens: input, input_tokens_details: { cached_tokens: cached }, output_tokens: output };
    this.#event({ type: 'response.created', response: { id, status: 'in_progress' } });
    this.#event({ type: 'response.output_item.done', output_index: 0, item });
    this.#event({ type: 'response.completed', response: { id, status: 'completed', usage } });
    const bill = { component: 'llm', provider: 'openai_live', unit: 'token' } as const;
    this.#input.ledger.add({ ...bill, quantity: input + output });
  }

  #event(event: DelegatedEvent): void {
    this.#input.send({ type: 'response.event', delegation_id: this.#delegation, event });
  }

  #id(prefix: string): string {
    this.#ids += 1;
    return `${prefix}_${this.#input.name}_${this.#ids}`;
  }
}
