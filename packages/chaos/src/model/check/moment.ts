import type { GateView } from './gate-view.ts';
import type { PostgresView } from './postgres-view.ts';

/** The state of the stores and the network at one moment. */
export interface Moment {
  readonly postgres: PostgresView;
  readonly gate: GateView;
}
