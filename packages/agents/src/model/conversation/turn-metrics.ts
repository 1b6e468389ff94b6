import type { AnswerDelays, VoiceAgentEvent } from '@outdial/calls';

/** How long the callee waited for each turn of the agent, and how long the agent spoke on when it was interrupted. */
export class TurnMetrics {
  readonly #emit: (event: VoiceAgentEvent) => void;
  #wasPlaying = false;
  /** End of the agent's last turn. */
  #agentEndMs = -1;
  /** End of the callee's speech that the agent's next turn answers. */
  #repliesToMs: number | null = null;
  #bargeInMs: number | null = null;
  /** Of answers that have not been played, by item. */
  readonly #delays = new Map<string, AnswerDelays>();

  constructor(emit: (event: VoiceAgentEvent) => void) {
    this.#emit = emit;
  }

  /** Call it once a frame. `lastSpeechMs`: end of the callee's last speech; null before any. */
  follow(isPlayed: boolean, lastSpeechMs: number | null): void {
    if (isPlayed && !this.#wasPlaying) {
      this.#repliesToMs = this.isAgentLast(lastSpeechMs) ? null : lastSpeechMs;
      this.#bargeInMs = null;
    }
    this.#wasPlaying = isPlayed;
  }

  /** What an answer waited for, from a chain of models. */
  answerTimed({ item, endpointingMs, llmTtftMs, ttsTtfbMs }: AnswerDelays & { readonly item: string }): void {
    this.#delays.set(item, { endpointingMs, llmTtftMs, ttsTtfbMs });
  }

  /** The agent fell silent this long after the callee began to speak. */
  bargedIn(afterMs: number): void {
    this.#bargeInMs = afterMs;
  }

  agentSpoke({
    item,
    startMs,
    endMs,
  }: {
    readonly item: string;
    readonly startMs: number;
    readonly endMs: number;
  }): void {
    this.#agentEndMs = endMs;
    const v2vMs = this.#repliesToMs === null ? null : Math.max(0, startMs - this.#repliesToMs);
    this.#repliesToMs = null;
    const delays = v2vMs === null ? undefined : this.#delays.get(item);
    this.#emit({ kind: 'turn_metrics', startMs, v2vMs, bargeInMs: this.#bargeInMs, ...(delays && { delays }) });
    this.#bargeInMs = null;
    this.#delays.delete(item);
  }

  /** Whether the agent was the last to speak. */
  isAgentLast(lastSpeechMs: number | null): boolean {
    return this.#agentEndMs >= (lastSpeechMs ?? 0);
  }
}
