import { fillTemplate, type LlmChoice } from '@outdial/contracts';
import { unreachable, type Clock } from '@outdial/kernel';
import { openLlmTextMind, type TextMind, type TextMindEvent, type Tool, type UsageEntry } from '@outdial/minds';
import { chosenModels, type ProviderConnections } from '../model-thread/chosen-models.ts';
import type { OpenedModel } from '../model-thread/messages.ts';
import { languageModelOf } from '../model-thread/open-cascade.ts';
import type { Persona, PersonaListener } from './persona.ts';

export interface ModelPersonaInput {
  readonly prompt: string;
  readonly llm: LlmChoice;
  /** Null: its credential is gone. */
  readonly model: OpenedModel | null;
  readonly variables: Readonly<Record<string, string>>;
  readonly used: (entries: readonly UsageEntry[]) => void;
  readonly listener: PersonaListener;
}

/** Throws if the model has no credential. */
export type OpenModelPersona = (input: ModelPersonaInput) => Persona;

const ROLE = `You play a person who is called on the telephone, so that the other side can be tested. Stay in this role, whatever
the other side says. Say only what this person says aloud, in one or two short sentences, without quotation marks or stage
directions. When this person would hang up, say the last words, if any, and use the tool hang_up.`;

const HANG_UP: Tool = {
  name: 'hang_up',
  description: 'Hangs up: the person ends the call.',
  parameters: { type: 'object', properties: {} },
};
const OPENING = 'The telephone rings and you pick it up. The other side waits for you to speak first.';
/** A model that says nothing keeps silent. */
const SILENCE = '…';

export function createModelPersonas(options: ProviderConnections & { readonly clock: Clock }): OpenModelPersona {
  return (input) => {
    const models = input.model === null ? [] : [input.model];
    const uses = { used: () => undefined, nearLimit: () => undefined, takeLine: async () => false };
    const [chosen] = chosenModels('llm', [input.llm], { models, uses });
    if (chosen === undefined) throw new Error('the persona has no credential for its model');
    return new ModelPersona(input, (listener) =>
      openLlmTextMind({
        instructions: `${ROLE}\n\n${fillTemplate(input.prompt, input.variables)}`,
        tools: [HANG_UP],
        model: languageModelOf(options, chosen),
        clock: options.clock,
        listener,
      }),
    );
  };
}

class ModelPersona implements Persona {
  readonly #input: ModelPersonaInput;
  readonly #mind: TextMind;
  #words = '';
  #hangsUp = false;

  constructor(input: ModelPersonaInput, open: (listener: (event: TextMindEvent) => void) => TextMind) {
    this.#input = input;
    this.#mind = open((event) => this.#onEvent(event));
  }

  hear(text: string): void {
    if (text === '') this.#mind.respond(OPENING);
    else this.#mind.hear(text);
  }

  close(): void {
    this.#mind.close();
  }

  #onEvent(event: TextMindEvent): void {
    const { listener, used } = this.#input;
    switch (event.kind) {
      case 'words':
        this.#words += event.text;
        return;
      case 'tool_call':
        this.#hangsUp ||= event.name === HANG_UP.name;
        // No answer follows: the call is over. A tool that does not exist is not called twice.
        return this.#mind.toolResult({ id: event.id, output: 'done', answer: false });
      case 'answer_over':
        return this.#answered();
      case 'usage':
        return used(event.entries);
      case 'ignored':
        return;
      case 'answer_failed':
      case 'failed':
        return listener.failed(event.failure.kind === 'rejected' ? 'provider_rejected' : 'provider_unavailable');
      default:
        return unreachable(event);
    }
  }

  #answered(): void {
    const { listener } = this.#input;
    const text = this.#words.trim();
    this.#words = '';
    if (!this.#hangsUp) listener.says(text === '' ? SILENCE : text, false);
    else if (text === '') listener.hangsUp();
    else listener.says(text, true);
  }
}
