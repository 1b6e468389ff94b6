/** What an answer of a chain of models waited for, one after the other. */
export interface AnswerDelays {
  /** From the end of the callee's words to the end of the turn, as speech to text reports it. Null: it answers no turn. */
  readonly endpointingMs: number | null;
  /** From there to the first token of the language model; 0 if it was there. */
  readonly llmTtftMs: number;
  /** From there to the first sound. */
  readonly ttsTtfbMs: number;
}

/** The delays of one turn of the agent. */
export interface TurnMetrics {
  /** When the turn began. */
  readonly startMs: number;
  /** From the last sound of the callee's speech to the first of the answer. Null: the agent spoke first. */
  readonly v2vMs: number | null;
  /** From the first sound of the callee's speech to the agent's silence. Null: the callee did not interrupt. */
  readonly bargeInMs: number | null;
  /** Absent for other than chains of models, for a static text, and in calls of earlier versions. */
  readonly delays?: AnswerDelays;
}
