import { everyDay } from './every-day.ts';
import type { Pack } from './pack.ts';

const CHECKED_AT = '2026-11-20';

export const US_PACK: Pack = {
  title: 'United States',
  settings: {
    pack: 'us',
    windows: {
      default: everyDay('08:00-21:00'),
      'US-FL': everyDay('08:00-20:00'),
      'US-MD': everyDay('08:00-20:00'),
      'US-OK': everyDay('08:00-20:00'),
      'US-WA': everyDay('08:00-20:00'),
    },
    closed_days: [],
    trust_given_zone: false,
    caps: [
      { hours: 24, max: 3 },
      { hours: 168, max: 7 },
    ],
  },
  rows: [
    {
      says: 'Calls are dialed from 8 in the morning to 9 in the evening, every day.',
      source: '47 CFR 64.1200(c)(1); 16 CFR 310.4(c)',
      checkedAt: CHECKED_AT,
    },
    {
      says: 'In Florida, only until 8 in the evening.',
      source: 'Fla. Stat. 501.616(6)(a)',
      checkedAt: CHECKED_AT,
    },
    { says: 'In Maryland, only until 8 in the evening.', source: 'Md. SB 90 (2023)', checkedAt: CHECKED_AT },
    { says: 'In Oklahoma, only until 8 in the evening.', source: '15 O.S. 775C', checkedAt: CHECKED_AT },
    { says: 'In Washington State, only until 8 in the evening.', source: 'RCW 19.158', checkedAt: CHECKED_AT },
    {
      says: 'A number is called 3 times in 24 hours at most: the limit of Florida, kept everywhere.',
      source: 'Fla. Stat. 501.616(6)(b)',
      checkedAt: CHECKED_AT,
    },
    {
      says: 'A number is called 7 times in 7 days at most: the limit for collecting debts, kept for every call.',
      source: '12 CFR 1006.14(b)(2)',
      checkedAt: CHECKED_AT,
    },
  ],
};
