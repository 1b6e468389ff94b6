import { describe, expect, it } from 'vitest';
import { createCallSchema, idempotencyKeySchema } from './create-call.ts';

const valid = { to_number: '+12025550143', agent_id: '0198d4c2-4d6e-7b6a-9f0c-1d2e3f405162' };
const paramsOf = (body: unknown) => {
  const result = createCallSchema.safeParse(body);
  return result.success ? [] : result.error.issues.map((issue) => issue.path.join('.'));
};

describe('the body of a new call', () => {
  it('needs only the callee and the agent', () => {
    expect(createCallSchema.parse(valid)).toEqual(valid);
  });

  it.each([
    ["+1'--"],
    ['+1'],
    ['12025550143'],
    ['+02025550143'],
    ['+1202555014345678'],
    // The ten digits of a North American number, and one that networks ignore.
    ['+120255501431'],
    ['+1202555014'],
    ['+1 202 555 0143'],
    ['📞'],
    [''],
    [null],
    [12025550143],
    [Number.NaN],
    [['+12025550143']],
  ])('rejects %j as a telephone number', (to_number) => {
    expect(paramsOf({ ...valid, to_number })).toEqual(['to_number']);
  });

  it('rejects an unknown field, by name', () => {
    const result = createCallSchema.safeParse({ ...valid, to_numbr: '+12025550143' });
    expect(result.error?.issues[0]).toMatchObject({ code: 'unrecognized_keys', keys: ['to_numbr'] });
  });

  it.each([[4], [7_201], [-60], [30.5], ['60'], [Number.NaN]])(
    'rejects %j as the maximum duration',
    (max_duration_seconds) => {
      expect(paramsOf({ ...valid, max_duration_seconds })).toEqual(['max_duration_seconds']);
    },
  );

  it('accepts only flat texts as variables, and names the one that is not', () => {
    expect(paramsOf({ ...valid, variables: { name: 'Ann', amount: 3 } })).toEqual(['variables.amount']);
    expect(paramsOf({ ...valid, variables: { name: { first: 'Ann' } } })).toEqual(['variables.name']);
  });

  it('bounds metadata to 4 KiB as JSON and to a sane depth', () => {
    expect(paramsOf({ ...valid, metadata: { note: 'x'.repeat(4_096) } })).toEqual(['metadata']);
    let deep: Record<string, unknown> = {};
    for (let depth = 0; depth < 40; depth += 1) deep = { deep };
    expect(paramsOf({ ...valid, metadata: deep })).toEqual([`metadata${'.deep'.repeat(16)}`]);
    expect(paramsOf({ ...valid, metadata: { order: 17, tags: ['a'] } })).toEqual([]);
  });

  it.each(['a\u0000b', 'a\ud83d', '\udcdeb'])('rejects what Postgres cannot store: %j', (text) => {
    expect(paramsOf({ ...valid, variables: { name: text } })).toEqual(['variables.name']);
    expect(paramsOf({ ...valid, metadata: { note: [text] } })).toEqual(['metadata.note.0']);
    expect(paramsOf({ ...valid, metadata: { [text]: 1 } })).toEqual([`metadata.${text}`]);
  });

  it('accepts whole emoji, and rejects a number that would be returned as null', () => {
    expect(paramsOf({ ...valid, variables: { name: '📞' }, metadata: { '📞': '📞' } })).toEqual([]);
    expect(paramsOf({ ...valid, metadata: JSON.parse('{"n":1e400}') })).toEqual(['metadata.n']);
  });
});

describe('when to call', () => {
  it.each(['2026-12-01T09:00:00Z', '2026-12-01T09:00:00.123Z', '2026-12-01T09:00:00+01:00'])(
    'is a time with its offset: %s',
    (time) => {
      expect(paramsOf({ ...valid, scheduled_for: time, expires_at: time })).toEqual([]);
    },
  );

  it.each([
    '2026-12-01T09:00:00',
    '2026-12-01T09:00Z',
    '2026-12-01',
    '2026-02-30T09:00:00Z',
    'tomorrow',
    '',
    1_764_579_600_000,
    null,
  ])('is not %j', (time) => {
    expect(paramsOf({ ...valid, scheduled_for: time })).toEqual(['scheduled_for']);
    expect(paramsOf({ ...valid, expires_at: time })).toEqual(['expires_at']);
  });

  it('rejects what it does not know about a full service', () => {
    expect(paramsOf({ ...valid, on_capacity: 'queue' })).toEqual([]);
    expect(paramsOf({ ...valid, on_capacity: 'wait' })).toEqual(['on_capacity']);
  });
});

describe('retries of a call', () => {
  it('are 2 to 10 calls in all, after ends that a retry may change', () => {
    const retry = { max_attempts: 10, on: ['busy', 'worker_lost'], after_seconds: [60, 604_800] };
    expect(paramsOf({ ...valid, retry })).toEqual([]);
    expect(paramsOf({ ...valid, retry: { max_attempts: 2 } })).toEqual([]);
  });

  it.each<[Record<string, unknown>, string]>([
    [{}, 'retry.max_attempts'],
    [{ max_attempts: 1 }, 'retry.max_attempts'],
    [{ max_attempts: 11 }, 'retry.max_attempts'],
    [{ max_attempts: 2, on: [] }, 'retry.on'],
    [{ max_attempts: 2, on: ['busy', 'declined'] }, 'retry.on.1'],
    [{ max_attempts: 2, on: ['engaged'] }, 'retry.on.0'],
    [{ max_attempts: 2, after_seconds: [] }, 'retry.after_seconds'],
    [{ max_attempts: 2, after_seconds: [59] }, 'retry.after_seconds.0'],
    [{ max_attempts: 2, after_seconds: [604_801] }, 'retry.after_seconds.0'],
    [{ max_attempts: 2, after_seconds: Array.from({ length: 10 }, () => 60) }, 'retry.after_seconds'],
  ])('rejects %j, naming the field', (retry, param) => {
    expect(paramsOf({ ...valid, retry })).toEqual([param]);
  });

  it('says which ends a retry may change', () => {
    const result = createCallSchema.safeParse({ ...valid, retry: { max_attempts: 2, on: ['declined'] } });
    expect(result.error?.issues[0]?.message).toMatch(
      /^must be a reason after which a retry may help: .*busy, no_answer/,
    );
  });
});

describe('an idempotency key', () => {
  it('is 1 to 255 printable ASCII characters', () => {
    expect(idempotencyKeySchema.safeParse('order 17/a').success).toBe(true);
    for (const key of ['', 'x'.repeat(256), 'ключ', 'a\nb'])
      expect(idempotencyKeySchema.safeParse(key).success).toBe(false);
  });
});
