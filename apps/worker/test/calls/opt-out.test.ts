import { createCallReader } from '@outdial/persistence';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AT_REST, audit } from '../audit.ts';
import { openStage, type Stage } from '../stage.ts';

const OPTS_OUT = '+12025550115';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  await stage.startWorker();
});
afterAll(() => stage.close());

interface Entry {
  readonly number: string;
  readonly kind: string;
  readonly source: string;
  readonly callId: string;
}

const entries = () => stage.database.side.$queryRaw<Entry[]>`
  SELECT number::text AS number, kind, source, call_id AS "callId" FROM suppressions
  WHERE account_id = ${stage.accountId}::uuid`;

test('a callee who presses the key is on the list at once, hears so, and is called no more', async () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  const scheduled = await stage.place(OPTS_OUT, { fields: { scheduled_for: inAnHour } });
  const call = await stage.untilEnded(await stage.place(OPTS_OUT));
  expect(call).toMatchObject({ endedReason: 'opted_out', answeredBy: 'human' });
  expect(call.costMicros).toBeGreaterThan(0n);

  expect(call.transcript?.findLast(({ role }) => role === 'agent')).toMatchObject({
    text: 'You will not be called again. Goodbye.',
    interrupted: false,
  });
  expect(await entries()).toEqual([{ number: OPTS_OUT.slice(1), kind: 'opt_out', source: 'call', callId: call.id }]);

  const events = (await createCallReader(stage.database).events(stage.accountId, call.id)) ?? [];
  expect(events.filter(({ type }) => type === 'opted_out')).toMatchObject([{ data: { evidence: 'key' } }]);
  const types = events.map(({ type }) => type);
  expect(types.indexOf('opted_out')).toBeLessThan(types.indexOf('ended'));

  await expect(stage.place(OPTS_OUT)).rejects.toThrow('suppressed');
  expect(await stage.untilEnded(scheduled)).toMatchObject({ endedReason: 'suppressed', costMicros: 0n });
  expect(await audit(stage)).toEqual(AT_REST);
});
