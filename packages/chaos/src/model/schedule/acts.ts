import type { ActionKind } from '../profile.ts';
import type { Act } from './action.ts';
import { CAMPAIGN_ACTS } from './campaigns.ts';
import { LATER_ACTS } from './later.ts';
import { LINE_ACTS } from './lines.ts';
import { MESSAGE_ACTS } from './messages.ts';
import { POLICY_ACTS } from './policies.ts';
import { PROCESS_ACTS } from './processes.ts';
import { QUIET_ACTS } from './quiet.ts';
import { STORE_ACTS } from './stores.ts';
import { SUPPRESSION_ACTS } from './suppressions.ts';
import { TELEPHONE_ACTS } from './telephone.ts';
import { TRANSFER_ACTS } from './transfers.ts';
import { USAGE_ACTS } from './usage.ts';

/** All actions of a schedule. */
export const ACTS: Readonly<Record<ActionKind, Act>> = {
  ...CAMPAIGN_ACTS,
  ...LATER_ACTS,
  ...LINE_ACTS,
  ...MESSAGE_ACTS,
  ...POLICY_ACTS,
  ...PROCESS_ACTS,
  ...QUIET_ACTS,
  ...STORE_ACTS,
  ...SUPPRESSION_ACTS,
  ...TELEPHONE_ACTS,
  ...TRANSFER_ACTS,
  ...USAGE_ACTS,
};
