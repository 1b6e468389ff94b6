/** The delays of one turn of the agent. */
export interface TurnMetrics {
  /** When the turn began. */
  readonly startMs: number;
  /** From the last sound of the callee's speech to the first of the answer. Null: the agent spoke first. */
  readonly v2vMs: number | null;
  /** From the first sound of the callee's speech to the agent's silence. Null: the callee did not interrupt. */
  readonly bargeInMs: number | null;
}
