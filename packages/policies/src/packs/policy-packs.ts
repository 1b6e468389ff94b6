import { OPEN_POLICY, type PolicyPack } from '@outdial/contracts';
import type { Pack } from './pack.ts';
import { STANDARD_PACK } from './standard-pack.ts';
import { US_PACK } from './us-pack.ts';

export const PACKS: Readonly<Record<PolicyPack, Pack>> = {
  open: { title: 'No rules', settings: OPEN_POLICY, rows: [] },
  standard: STANDARD_PACK,
  us: US_PACK,
};
