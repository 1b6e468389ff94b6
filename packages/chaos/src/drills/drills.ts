import { CAMPAIGN_DRILLS } from './campaign-drills.ts';
import { CAP_DRILLS } from './cap-drills.ts';
import { WEBHOOK_DRILLS } from './webhook-drills.ts';

export const DRILLS = { ...WEBHOOK_DRILLS, ...CAP_DRILLS, ...CAMPAIGN_DRILLS } as const;

export type DrillName = keyof typeof DRILLS;

export const isDrillName = (name: string): name is DrillName => name in DRILLS;
