import { expect, test } from 'vitest';
import { fluxTimeoutMs } from './flux-timeout.ts';

const DELAYS = { min_delay_ms: 700, max_delay_ms: 2_000 };

test('a turn that Flux is not sure of is over after max_delay_ms', () => {
  expect(fluxTimeoutMs({ mode: 'provider', ...DELAYS }, {})).toBe(2_000);
});

test('an option of the model is stronger, and silence alone takes the least delay', () => {
  expect(fluxTimeoutMs({ mode: 'provider', ...DELAYS }, { eot_timeout_ms: 4_000 })).toBe(4_000);
  expect(fluxTimeoutMs({ mode: 'silence', ...DELAYS }, { eot_timeout_ms: 4_000 })).toBe(700);
});

test('a delay below what Flux takes is raised', () => {
  expect(fluxTimeoutMs({ mode: 'silence', ...DELAYS, min_delay_ms: 100 }, {})).toBe(500);
  expect(fluxTimeoutMs({ mode: 'provider', min_delay_ms: 100, max_delay_ms: 200 }, {})).toBe(500);
});
