import type { TrunkName } from '@outdial/contracts';
import type { Clock, Logger } from '@outdial/kernel';
import type { LeaseTimes, Instant } from '../lease.ts';
import type { Carrier } from '../ports/carrier.ts';
import type { Conversations } from '../ports/conversation.ts';
import type { ClaimedCall, DriveStore } from '../ports/drive-store.ts';
import type { Gate } from '../ports/gate.ts';
import type { TransferRules } from '../ports/transfers.ts';
import type { TrunkDeps } from '../trunks/dial-attempts.ts';
import type { LegTurnsDeps } from './leg-turns.ts';
import type { SecondLegStores } from './second-leg-funds.ts';

export interface LegDriverDeps extends LegTurnsDeps {
  readonly store: DriveStore;
  readonly gate: Pick<Gate, 'enlarge' | 'close' | 'reserve' | 'release'>;
  readonly carrier: Carrier;
  readonly conversations: Conversations;
  readonly clock: Clock;
  /** `LEASE_TIMES` unless given. */
  readonly leaseTimes?: LeaseTimes;
  /** For a carrier with trunks, which asks before each dial attempt; other carriers need none. */
  readonly trunks?: TrunkDeps;
  /** Without it, the far end is asked for no number. */
  readonly transfers?: TransferRules;
  /** Without it, there are no warm transfers. */
  readonly secondLegs?: SecondLegStores;
}

export interface LegDriverInput {
  readonly call: ClaimedCall;
  /** From before the claim was sent. */
  readonly claimSentAt: Instant;
  readonly logger: Logger;
  readonly acquiredTrunk: TrunkName | null;
}
