import { BREAKER_MUTANTS } from './breaker-mutants.ts';
import { CAMPAIGN_BOUND_MUTANTS } from './campaign-bound-mutants.ts';
import { CAMPAIGN_MUTANTS } from './campaign-mutants.ts';
import { DRIVE_MUTANTS } from './drive-mutants.ts';
import { GATE_MUTANTS } from './gate-mutants.ts';
import { HOLD_MUTANTS } from './hold-mutants.ts';
import { LINE_MUTANTS } from './line-mutants.ts';
import type { Mutant } from './mutant.ts';
import { POLICY_MUTANTS } from './policy-mutants.ts';
import { SCHEDULE_MUTANTS } from './schedule-mutants.ts';
import { SUPPRESSION_MUTANTS } from './suppression-mutants.ts';
import { TRANSFER_MUTANTS } from './transfer-mutants.ts';
import { USAGE_MUTANTS } from './usage-mutants.ts';
import { WEBHOOK_MUTANTS } from './webhook-mutants.ts';

/** By a short name of the removed safeguard. */
export const MUTANTS: Readonly<Record<string, Mutant>> = {
  ...GATE_MUTANTS,
  ...DRIVE_MUTANTS,
  ...HOLD_MUTANTS,
  ...LINE_MUTANTS,
  ...BREAKER_MUTANTS,
  ...USAGE_MUTANTS,
  ...SCHEDULE_MUTANTS,
  ...SUPPRESSION_MUTANTS,
  ...POLICY_MUTANTS,
  ...CAMPAIGN_MUTANTS,
  ...CAMPAIGN_BOUND_MUTANTS,
  ...TRANSFER_MUTANTS,
  ...WEBHOOK_MUTANTS,
};
