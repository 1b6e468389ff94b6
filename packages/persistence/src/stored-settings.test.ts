import { agentSettingsSchema } from '@outdial/contracts';
import { describe, expect, test } from 'vitest';
import { createSettingsCache, readSettings } from './stored-settings.ts';

describe('settings that are read', () => {
  test('have the defaults of today for what their version did not know', () => {
    const stored = { name: 'Anna', first_message: 'Hello {{name}}.' };
    expect(readSettings(stored)).toEqual({ kind: 'usable', settings: agentSettingsSchema.parse(stored) });
  });

  test('leave out what only a later version knows', () => {
    const stored = { name: 'Anna', first_message: 'Hello.', whispers: true };
    expect(readSettings(stored)).toMatchObject({ kind: 'usable', settings: { name: 'Anna' } });
    expect(JSON.stringify(readSettings(stored))).not.toContain('whispers');
  });

  test('keep a name that would not be taken any more', () => {
    const stored = { name: '\u202E\u200B', first_message: 'Hello.' };
    expect(agentSettingsSchema.safeParse(stored).success).toBe(false);
    expect(readSettings(stored)).toMatchObject({ kind: 'usable', settings: { name: stored.name } });
  });

  test.each([
    [{ name: 'Anna' }, /^first_message: /],
    [{ name: 'Anna', first_message: 'Hello.', lines: ['fine', 7] }, /^lines\.1: /],
    [null, /^settings: /],
    ['Hello.', /^settings: /],
  ])('are unusable where a line is wrong, which is named: %j', (stored, problem) => {
    expect(readSettings(stored)).toEqual({ kind: 'unusable', problem: expect.stringMatching(problem) });
  });
});

test('a version is read once, and the oldest are forgotten beyond a thousand', () => {
  const cache = createSettingsCache();
  const stored = { name: 'Anna', first_message: 'Hello.' };
  const first = cache.settingsOf('agent', 1, stored);
  expect(cache.settingsOf('agent', 1, stored)).toBe(first);
  expect(cache.settingsOf('agent', 2, stored)).not.toBe(first);
  for (let version = 3; version <= 1_001; version += 1) cache.settingsOf('agent', version, stored);
  expect(cache.settingsOf('agent', 1_001, stored)).toBe(cache.settingsOf('agent', 1_001, stored));
  expect(cache.settingsOf('agent', 1, stored)).not.toBe(first);
});
