import type { VoiceAgentEvent } from '@outdial/calls';

/** What an agent reports. Events from before anybody listens wait for the first listener. */
export class AgentEvents {
  readonly #listeners: ((event: VoiceAgentEvent) => void)[] = [];
  readonly #unheard: VoiceAgentEvent[] = [];

  listen(listener: (event: VoiceAgentEvent) => void): void {
    this.#listeners.push(listener);
    for (const event of this.#unheard.splice(0)) listener(event);
  }

  emit(event: VoiceAgentEvent): void {
    if (this.#listeners.length === 0) this.#unheard.push(event);
    for (const listener of this.#listeners) listener(event);
  }
}
