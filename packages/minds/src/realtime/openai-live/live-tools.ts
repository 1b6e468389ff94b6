import type { MindEvent } from '../../mind.ts';
import { resultNote, TOO_EARLY } from '../notes.ts';
import { Delegations, type DelegationsInput, type FunctionCall } from './delegations.ts';
import type { LiveAnswer } from './live-answer.ts';
import type { Prompts } from './prompts.ts';

export interface LiveToolsInput extends Omit<DelegationsInput, 'called' | 'continued'> {
  readonly prompts: Prompts;
  readonly emit: (event: MindEvent) => void;
  /** The answer that a call belongs to. */
  readonly answer: () => LiveAnswer;
  /** The answer that is under way. */
  readonly current: () => LiveAnswer | null;
}

/** The tools that delegated work calls. A call runs once the callee listens. */
export class LiveTools {
  readonly delegations: Delegations;
  readonly #input: LiveToolsInput;

  constructor(input: LiveToolsInput) {
    this.#input = input;
    this.delegations = new Delegations({
      ...input,
      called: (call) => this.#called(call),
      continued: () => {
        const answer = input.current();
        if (answer !== null) answer.wasContinued = true;
      },
    });
  }

  /** The gate is open: what an answer called before runs now. */
  release(answer: LiveAnswer): void {
    for (const call of answer.takeEarlyCalls()) this.#emit(call);
  }

  /** The answer is over, and the gate is closed: what it called does not run. */
  reject(answer: LiveAnswer): void {
    for (const call of answer.takeEarlyCalls()) this.#reject(call);
  }

  result(given: { readonly id: string; readonly output: string; readonly answer: boolean }): void {
    const { prompts } = this.#input;
    const result = this.delegations.result(given);
    if (result.kind !== 'of_another_session') return;
    const content = resultNote(result.name, given.output);
    if (result.isAnswered) prompts.ask([content]);
    else prompts.note(content);
  }

  #called(call: FunctionCall): void {
    const answer = this.#input.answer();
    answer.saidSomething = true;
    if (answer.isDiscarded) this.#reject(call);
    else if (answer.isHeld) answer.callsEarly(call);
    else this.#emit(call);
  }

  #emit({ call_id: id, name, arguments: argumentsText }: FunctionCall): void {
    this.#input.emit({ kind: 'tool_call', id, name, argumentsText });
  }

  /** The work does not go on: the other model would call again, as long as the gate is closed. */
  #reject({ call_id: id }: FunctionCall): void {
    this.delegations.result({ id, output: TOO_EARLY, answer: false });
  }
}
