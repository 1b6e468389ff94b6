/** The columns of a rates file. Their order in the file is free; each stands there exactly once. */
export const RATE_COLUMNS = ['prefix', 'description', 'connection_fee', 'price_per_minute', 'increments'] as const;
export type RateColumn = (typeof RATE_COLUMNS)[number];

/** One line of a rates file that cannot be used. Lines count from 1, the header included. */
export interface RatesCsvProblem {
  readonly line: number;
  /** Null: the line as a whole cannot be used. */
  readonly column: RateColumn | null;
  readonly message: string;
}
