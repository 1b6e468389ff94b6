import { expect, test } from 'vitest';
import { firstDriver } from './driver.ts';

test.each([
  [undefined, 'sip', 'realtime'],
  ['cascade', 'sip', 'cascade'],
  ['scripted', 'sip', 'scripted'],
  [undefined, 'simulated', 'scripted'],
  ['scripted', 'simulated', 'scripted'],
] as const)('with --driver %s and the carrier %s, the first call is %s', (chosen, carrier, driver) => {
  expect(firstDriver(chosen, { carrier, reachesModels: true })).toBe(driver);
});

test('a model is refused where calls may run faster than life', () => {
  const given = { carrier: 'simulated', reachesModels: true } as const;
  expect(() => firstDriver('cascade', given)).toThrow('--driver cascade needs calls over SIP');
});

test('while the simulated models are out of reach, the first call is scripted, and a model is refused', () => {
  const given = { carrier: 'sip', reachesModels: false } as const;
  expect(firstDriver(undefined, given)).toBe('scripted');
  expect(() => firstDriver('realtime', given)).toThrow('OUTDIAL_EGRESS_ALLOW');
});
