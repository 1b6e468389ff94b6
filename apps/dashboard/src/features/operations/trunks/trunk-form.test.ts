import { addTrunkSchema, trunkNameSchema, updateTrunkSchema, type OperatedTrunkBody } from '@outdial/contracts';
import { describe, expect, test } from 'vitest';
import { addedOf, changesOf, fieldOf, valuesOf } from './trunk-form.ts';

const TRUNK: OperatedTrunkBody = {
  name: trunkNameSchema.parse('main'),
  uri: 'sip:trunk.example',
  transport: 'udp',
  outbound_proxy: null,
  channels: 30,
  calls_per_second: 5,
  caller_prefixes: ['1202', '44'],
  asserts_caller: false,
  number_format: 'e164',
  codecs: ['PCMA', 'PCMU'],
  priority: 10,
  weight: 10,
  health_check: 'options',
  media_source: 'sdp_host',
  transfers: 'none',
  enabled: true,
  username: 'alice',
  in_use: 0,
  created_at: '2026-12-04T00:00:00.000Z',
  conditions: [],
  test: null,
};

describe('a trunk in the form', () => {
  test('that is unchanged keeps its settings and password', () => {
    const changes = changesOf(valuesOf(TRUNK), TRUNK);
    expect(updateTrunkSchema.parse(changes)).toEqual(changes);
    expect(changes).toMatchObject({ caller_prefixes: ['1202', '44'], codecs: ['PCMA', 'PCMU'] });
    expect(changes).not.toHaveProperty('credentials');
  });

  test('gets a new password with a username, and none without one', () => {
    const typed = { ...valuesOf(TRUNK), password: 'another' };
    expect(changesOf(typed, TRUNK).credentials).toEqual({ username: 'alice', password: 'another' });
    expect(changesOf({ ...valuesOf(TRUNK), username: ' ' }, TRUNK).credentials).toBeNull();
  });

  test('with a new username requires a password', () => {
    const parsed = updateTrunkSchema.safeParse(changesOf({ ...valuesOf(TRUNK), username: 'bob' }, TRUNK));
    expect(parsed.error?.issues.map(({ path }) => fieldOf(path.join('.')))).toContain('password');
  });

  test('that is new and has no username needs no password', () => {
    const values = { ...valuesOf(null), name: 'new', uri: 'sip:carrier.example' };
    expect(addTrunkSchema.parse(addedOf(values))).toMatchObject({ name: 'new', credentials: null, channels: 10 });
  });

  test('reports an invalid entry at its field', () => {
    const values = { ...valuesOf(TRUNK), caller_prefixes: '1202, +44', channels: '' };
    const parsed = updateTrunkSchema.safeParse(changesOf(values, TRUNK));
    expect(parsed.error?.issues.map(({ path }) => fieldOf(path.join('.'))).toSorted()).toEqual([
      'caller_prefixes',
      'channels',
    ]);
  });
});
