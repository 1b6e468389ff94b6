import { afterEach, expect, test, vi } from 'vitest';
import { campaignOf } from '../campaign-fixture.ts';
import {
  changedFields,
  maySet,
  settingsDraftOf,
  settingsErrors,
  settingsPath,
  type SettingsDraft,
} from './settings-draft.ts';

afterEach(() => vi.unstubAllEnvs());

const DAY = ['09:00-12:00', '13:00-17:00'];
const CAMPAIGN = campaignOf({
  window: {
    time_zone: 'America/New_York',
    days: { mon: DAY, tue: DAY, wed: [], thu: [], fri: [], sat: [], sun: [] },
  },
  ends_at: '2026-12-24T17:00:30.500Z',
  retry: { max_attempts: 3, on: ['busy'], after_seconds: [900, 3_600] },
});
const before = settingsDraftOf(CAMPAIGN, 'Europe/Berlin');
const changes = (draft: Partial<SettingsDraft>) => changedFields({ ...before, ...draft }, before);
const errors = (draft: Partial<SettingsDraft>) => settingsErrors({ ...before, ...draft }, before);

test('only what the user changed is sent, also where the form is coarser than the service', () => {
  expect(changes({})).toEqual({});
  expect(changes({ name: 'Winter', budget: '' })).toEqual({ name: 'Winter', budget: null });
  expect(changes({ window: { ...before.window, is_on: false } })).toEqual({ window: null });
});

test('hours, times and waits are read as users type them', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  const window = { ...before.window, week: { ...before.window.week, wed: ['8-12', '14 to 18'] } };
  expect(changes({ window })).toMatchObject({ window: { days: { wed: ['08:00-12:00', '14:00-18:00'], thu: [] } } });
  expect(changes({ ends_at: '2026-12-24T18:00' })).toEqual({ ends_at: '2026-12-24T18:00:00+01:00' });
  expect(changes({ retry: { ...before.retry, after_seconds: '300,1800' } })).toEqual({
    retry: { max_attempts: 3, on: ['busy'], after_seconds: [300, 1_800] },
  });
});

test('an error is at its field', () => {
  expect(Object.keys(errors({ name: '' }))).toEqual(['name']);
  expect(Object.keys(errors({ weight: '' }))).toEqual(['weight']);
  const window = { ...before.window, week: { ...before.window.week, wed: ['noon'] } };
  expect(Object.keys(errors({ window }))).toEqual(['window.week.wed.0']);
  expect(Object.keys(errors({ retry: { ...before.retry, max_attempts: 11 } }))).toEqual(['retry.max_attempts']);
  expect(settingsPath('window.days')).toBe('window.week');
  expect(settingsPath('retry.after_seconds.0')).toBe('retry.after_seconds');
  expect(settingsPath('window.time_zone')).toBe('window.time_zone');
});

test('a running campaign keeps its agent, and one that is over keeps all', () => {
  expect([maySet('draft', 'agent_id'), maySet('paused', 'agent_id')]).toEqual([true, true]);
  expect([maySet('running', 'agent_id'), maySet('running', 'budget')]).toEqual([false, true]);
  expect([maySet('cancelling', 'name'), maySet('completed', 'name')]).toEqual([false, false]);
});

test('columns and metadata are JSON objects, and what is wrong with one is shown at it', () => {
  const columns = '{"to_number": "Phone", "variables": {"name": "First name"}}';
  expect(changes({ columns, metadata: '{"crm": 17}' })).toEqual({
    columns: { to_number: 'Phone', variables: { name: 'First name' } },
    metadata: { crm: 17 },
  });
  const kept = settingsDraftOf({ ...CAMPAIGN, columns: { to_number: 'Phone' }, metadata: { crm: 17 } }, 'UTC');
  expect(changedFields({ ...kept, columns: '{ "to_number":"Phone" }' }, kept)).toEqual({});
  expect(changedFields({ ...kept, columns: '', metadata: ' ' }, kept)).toEqual({ columns: {}, metadata: {} });
  for (const text of ['{', '[]', '"Phone"', '17', 'null'])
    expect(errors({ columns: text, metadata: text })).toEqual({
      columns: 'must be a JSON object',
      metadata: 'must be a JSON object',
    });
  expect(Object.keys(errors({ columns: '{"to_number": ""}' }))).toEqual(['columns']);
  expect(settingsPath('metadata.a.b')).toBe('metadata');
});
