import { describe, expect, it } from 'vitest';
import { matchesCallSearch, parseCallSearch } from './call-search.ts';

const ID = '0198f2a4-1c5e-7b3a-9d2f-4e6a8b0c1d2e';
const call = { id: ID, callee_number: '+12025550100', metadata: { order: 1042, Team: 'North', deep: { a: 1 } } };

describe('a search for calls', () => {
  it.each([
    '0100',
    '(202) 555',
    '202-555-0100',
    '+1 202',
    '001 (202) 555',
    '+12025550100',
    ID,
    ID.toUpperCase(),
    '1042',
    'order=1042',
    'team = north',
    'NORTH',
  ])('for %s finds the call', (text) => {
    expect(matchesCallSearch(call, parseCallSearch(text))).toBe(true);
  });

  it.each(['0101', '+202', '00202', '01', 'order=104', 'order=', '=', 'deep', 'deep=1', 'nor', ID.replace('0', '1')])(
    'for %s does not find the call',
    (text) => {
      expect(matchesCallSearch(call, parseCallSearch(text))).toBe(false);
    },
  );
});
