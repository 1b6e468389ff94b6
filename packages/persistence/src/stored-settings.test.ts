import { agentSettingsSchema } from '@outdial/contracts';
import { describe, expect, test } from 'vitest';
import { createSettingsCache, readSettings } from './stored-settings.ts';

describe('stored settings', () => {
  test('get current defaults for fields that their version did not have', () => {
    const stored = { name: 'Anna', first_message: 'Hello {{name}}.' };
    expect(readSettings(stored)).toEqual({ kind: 'usable', settings: agentSettingsSchema.parse(stored) });
  });

  test('drop fields that only a later version has', () => {
    const stored = { name: 'Anna', first_message: 'Hello.', whispers: true };
    expect(readSettings(stored)).toMatchObject({ kind: 'usable', settings: { name: 'Anna' } });
    expect(JSON.stringify(readSettings(stored))).not.toContain('whispers');
  });

  test('keep a name that new settings could not have', () => {
    const stored = { name: '\u202E\u200B', first_message: 'Hello.' };
    expect(agentSettingsSchema.safeParse(stored).success).toBe(false);
    expect(readSettings(stored)).toMatchObject({ kind: 'usable', settings: { name: stored.name } });
  });

  test.each([
    [{ name: 'Anna' }, /^first_message: /],
    [{ name: 'Anna', first_message: 'Hello.', lines: ['fine', 7] }, /^lines\.1: /],
    [null, /^settings: /],
    ['Hello.', /^settings: /],
  ])('are unusable with an invalid line, which is named: %j', (stored, problem) => {
    expect(readSettings(stored)).toEqual({ kind: 'unusable', problem: expect.stringMatching(problem) });
  });
});

test('a version is parsed once, and the oldest are evicted beyond a thousand', () => {
  const cache = createSettingsCache();
  const stored = { name: 'Anna', first_message: 'Hello.' };
  const first = cache.settingsOf('agent', 1, stored);
  expect(cache.settingsOf('agent', 1, stored)).toBe(first);
  expect(cache.settingsOf('agent', 2, stored)).not.toBe(first);
  for (let version = 3; version <= 1_001; version += 1) cache.settingsOf('agent', version, stored);
  expect(cache.settingsOf('agent', 1_001, stored)).toBe(cache.settingsOf('agent', 1_001, stored));
  expect(cache.settingsOf('agent', 1, stored)).not.toBe(first);
});
