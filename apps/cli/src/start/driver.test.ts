import { expect, test } from 'vitest';
import { firstDriver } from './driver.ts';

test.each([
  [undefined, 'sip', 'realtime'],
  ['cascade', 'sip', 'cascade'],
  ['scripted', 'sip', 'scripted'],
  [undefined, 'simulated', 'scripted'],
  ['scripted', 'simulated', 'scripted'],
] as const)('with --driver %s and the carrier %s, the first call is %s', (chosen, carrier, driver) => {
  expect(firstDriver(chosen, carrier)).toBe(driver);
});

test('a model is refused where calls may run faster than life', () => {
  expect(() => firstDriver('cascade', 'simulated')).toThrow('--driver cascade needs calls over SIP');
});
