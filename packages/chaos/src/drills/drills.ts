import { CAP_DRILLS } from './cap-drills.ts';
import { WEBHOOK_DRILLS } from './webhook-drills.ts';

/** Brings one safeguard to its moment, on a real database. @returns what was violated */
export type Drill = (databaseUrl: string) => Promise<readonly string[]>;

export const DRILLS = { ...WEBHOOK_DRILLS, ...CAP_DRILLS } as const;

export type DrillName = keyof typeof DRILLS;

export const isDrillName = (name: string): name is DrillName => name in DRILLS;
