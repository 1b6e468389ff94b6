import type { Action } from './profile.ts';

const ALL_GO_ON: Action = { kind: 'drain', pick: 0 };

/** The number in which `start_campaign` finds these choices: of the first account, by the first process. */
const started = (choices: number): readonly Action[] => [{ kind: 'start_campaign', pick: 64 * 64 * choices }, ALL_GO_ON];

/** Two campaigns of one account, and one of another, have begun. */
export const STARTED: readonly Action[] = [
  ...started(4),
  ...started(5),
];
