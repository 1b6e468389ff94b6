import { callingPolicySettingsSchema, POLICY_PACKS } from '@outdial/contracts';
import { describe, expect, test } from 'vitest';
import { calleePlace } from '../callee-place.ts';
import { windowAt } from '../calling-window.ts';
import { PACKS } from './policy-packs.ts';

describe.each(POLICY_PACKS)('the pack %s', (name) => {
  const { title, settings, rows } = PACKS[name];

  test('has settings as the contract accepts them', () => {
    expect(callingPolicySettingsSchema.parse(settings)).toEqual(settings);
    expect(settings.pack).toBe(name);
  });

  test('names the source of each rule and the date on which it was checked', () => {
    const lacking = rows.filter(
      ({ says, source, checkedAt }) =>
        says.length === 0 || source.length === 0 || !/^20\d\d-\d\d-\d\d$/.test(checkedAt) || !Date.parse(checkedAt),
    );
    expect(lacking).toEqual([]);
  });

  test('has a row for each rule', () => {
    expect(rows).toHaveLength(Object.keys(settings.windows).length + settings.caps.length);
  });

  test('promises no lawfulness', () => {
    expect([title, ...rows.map(({ says, source }) => `${says} ${source}`)].join(' ')).not.toMatch(/complian|lawful/i);
  });
});

test.each([
  ['New York', '+12125550100', '2026-12-02T02:00Z'],
  ['Florida', '+13055550100', '2026-12-02T01:00Z'],
  ['Maryland', '+14105550100', '2026-12-02T01:00Z'],
  ['Oklahoma', '+14055550100', '2026-12-02T02:00Z'],
  ['Washington State', '+12065550100', '2026-12-02T04:00Z'],
])('the pack us closes in %s at its hour', (_, number, closesAt) => {
  const policies = { policy: PACKS.us.settings, floor: null };
  const place = calleePlace(number, null);
  expect(windowAt(policies, place, Date.parse('2026-12-01T18:00Z'))).toEqual({
    kind: 'open',
    untilMs: Date.parse(closesAt),
  });
});
