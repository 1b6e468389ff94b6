import { everyDay } from './every-day.ts';
import type { Pack } from './pack.ts';

const CHECKED_AT = '2026-11-20';

export const STANDARD_PACK: Pack = {
  title: 'Considerate hours',
  settings: {
    pack: 'standard',
    windows: { default: everyDay('08:00-21:00') },
    closed_days: [],
    trust_given_zone: false,
    caps: [{ hours: 24, max: 3 }],
  },
  rows: [
    {
      says: 'Calls are dialed from 8 in the morning to 9 in the evening, every day, wherever the callee is.',
      source: 'Our choice: the hours of 47 CFR 64.1200(c)(1), for every country',
      checkedAt: CHECKED_AT,
    },
    {
      says: 'A number is called 3 times in 24 hours at most.',
      source: 'Our choice: the limit of Fla. Stat. 501.616(6)(b), for every country',
      checkedAt: CHECKED_AT,
    },
  ],
};
