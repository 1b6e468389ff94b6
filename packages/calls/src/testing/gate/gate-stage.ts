import type { Gate } from '../../ports/gate.ts';
import type { Stage } from '../stage-for-each.ts';

/** A gate that was never built. */
export interface GateStage extends Stage {
  readonly gate: Gate;
  /** Lets the time pass after which another process may rebuild. */
  readonly passRebuildTime: () => Promise<void>;
  /** The gate loses everything that it stores. */
  readonly loseContents: () => Promise<void>;
}
