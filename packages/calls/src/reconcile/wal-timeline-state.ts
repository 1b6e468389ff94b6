import type { GateToken } from '../ports/gate.ts';

/**
 * `superseded`: the gate was built from a later WAL timeline than this Postgres has. Another server was promoted, and this
 * one accepts nothing any more: the process must be directed to the new one.
 */
export type WalTimelineState = 'current' | 'superseded';

/**
 * Compares the gate's contents with the Postgres that a process uses. A gate that is behind its Postgres, or closed, is
 * about to be rebuilt.
 * @param postgresTimeline eight hexadecimal digits, as in a token; they sort in the order of the timelines.
 */
export function walTimelineState(token: GateToken | null, postgresTimeline: string): WalTimelineState {
  return token !== null && token.walTimeline > postgresTimeline ? 'superseded' : 'current';
}
