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
  /** Of the answer that is about to sound. */
  #delays: AnswerDelays | null = null;

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

  /** What the next answer waited for, from a chain of models. */
  answerTimed({ endpointingMs, llmTtftMs, ttsTtfbMs }: AnswerDelays): void {
    this.#delays = { endpointingMs, llmTtftMs, ttsTtfbMs };
  }

  /** The agent fell silent this long after the callee began to speak. */
  bargedIn(afterMs: number): void {
    this.#bargeInMs = afterMs;
  }

  agentSpoke({ startMs, endMs }: { readonly startMs: number; readonly endMs: number }): void {
    this.#agentEndMs = endMs;
    const v2vMs = this.#repliesToMs === null ? null : Math.max(0, startMs - this.#repliesToMs);
    this.#repliesToMs = null;
    const delays = v2vMs === null ? null : this.#delays;
    this.#emit({ kind: 'turn_metrics', startMs, v2vMs, bargeInMs: this.#bargeInMs, ...(delays && { delays }) });
    this.#bargeInMs = null;
    this.#delays = null;
  }

  /** Whether the agent was the last to speak. */
  isAgentLast(lastSpeechMs: number | null): boolean {
    return this.#agentEndMs >= (lastSpeechMs ?? 0);
  }
}
