import type { Clock } from '../clock.ts';
import type { Resolver } from '../resolve.ts';
import type { TransactionLayer } from '../transaction/transaction-layer.ts';
import type { Transport } from '../transport/transport.ts';
import type { SessionRegistry } from './session-registry.ts';

/** What all sessions of a user agent share. */
export interface AgentCore {
  readonly clock: Clock;
  readonly transport: Transport;
  readonly transactions: TransactionLayer;
  readonly resolver: Resolver;
  readonly sessions: SessionRegistry;
  /** In [0, 1). Used for SRV weights and the pause after a glare. */
  readonly random: () => number;
  /** The value of User-Agent. */
  readonly product: string;
}
