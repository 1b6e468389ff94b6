import type { CallingPolicyCheckBody } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { verdictWords } from './calling-policy.ts';

const zone = (name: string, at: string, open: boolean) => ({ zone: name, local_time: `2026-12-01T${at}`, open });
const check = (part: Partial<CallingPolicyCheckBody>): CallingPolicyCheckBody => ({
  number: '+12125550100',
  verdict: 'allowed',
  zones: [zone('America/New_York', '10:00', true)],
  regions: ['US', 'US-NY'],
  certain: true,
  opens_at: null,
  closes_at: null,
  capped_until: null,
  policy_version: 1,
  ...part,
});
const words = (part: Partial<CallingPolicyCheckBody>) => {
  const { title, sentences } = verdictWords(check(part), (iso) => iso.slice(11, 16));
  return `${title}: ${sentences.join(' ')}`;
};
const closed = { verdict: 'outside_calling_window', opens_at: '2026-12-01T13:00:00.000Z' } as const;

test('open hours say until when', () => {
  expect(words({})).toBe('Within calling hours: The hours are open.');
  expect(words({ closes_at: '2026-12-02T02:00:00.000Z' })).toBe(
    'Within calling hours: The hours are open until 02:00, your time.',
  );
});

test('closed hours name the zones that are closed, with their clocks, and when all are open', () => {
  const zones = [
    zone('America/New_York', '07:10', false),
    zone('America/Port_of_Spain', '08:10', true),
    zone('America/Chicago', '06:10', false),
  ];
  expect(words({ ...closed, zones })).toBe(
    'Outside calling hours: The hours are closed in New York (07:10) and Chicago (06:10). The hours open at 13:00, your time.',
  );
  expect(words({ ...closed, zones: [...zones, zone('America/Denver', '05:10', false)] })).toContain(
    'New York (07:10), Chicago (06:10) and 1 more time zone.',
  );
  expect(words({ ...closed, zones, opens_at: null })).toContain('do not open within 90 days');
});

test('a number of no zone needs one', () => {
  expect(words({ ...closed, zones: [], opens_at: null })).toMatch(/Give their time zone\.$/);
});

test('a reached cap says when it ends, also for a number whose hours are closed', () => {
  const capped_until = '2026-12-02T09:30:00.000Z';
  expect(words({ verdict: 'frequency_capped', capped_until })).toMatch(
    /^Called too often: .* again after 09:30, your time\.$/,
  );
  expect(words({ ...closed, zones: [zone('America/Denver', '05:10', false)], capped_until })).toMatch(
    /^Outside calling hours: .* open at 13:00, your time\. .* again after 09:30, your time\.$/,
  );
});
