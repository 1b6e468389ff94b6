/** The columns of a rates file, in any order, each exactly once. */
export const RATE_COLUMNS = ['prefix', 'description', 'connection_fee', 'price_per_minute', 'increments'] as const;
export type RateColumn = (typeof RATE_COLUMNS)[number];

/** A problem in one line of a rates file. Lines count from 1, including the header. */
export interface RatesCsvProblem {
  readonly line: number;
  /** Null if the whole line is invalid. */
  readonly column: RateColumn | null;
  readonly message: string;
}
