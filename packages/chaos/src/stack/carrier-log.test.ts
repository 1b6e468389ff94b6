import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readCarrierLog } from './carrier-log.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'outdial-carrier-log-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

let second = 0;
const line = (event: string, of: object) => {
  second += 1;
  const at = new Date(Date.UTC(2026, 10, 20) + second * 1_000).toISOString();
  return `${JSON.stringify({ at, event, to: '+12025550100', ...of })}\n`;
};

async function legsOf(text: string) {
  const path = join(dir, 'journal.jsonl');
  await writeFile(path, text);
  return readCarrierLog(path);
}

const SIMULATED = { call_id: 'one', pid: 7 };
const OVER_SIP = { sip_call_id: 'abc@host' };

test.each([SIMULATED, OVER_SIP])('a telephone that is dialed again during a call is another leg: %j', async (of) => {
  const lines = [line('invite', of), line('answered', of), line('invite', of), line('ended', of)];
  const legs = await legsOf(lines.join(''));
  expect(legs).toHaveLength(2);
  expect(legs.map(({ endedAtMs }) => endedAtMs === null)).toContain(true);
});

test('a call that two workers dial is two legs, whichever of them ends first', async () => {
  const other = { ...SIMULATED, pid: 8 };
  const lines = [line('invite', SIMULATED), line('invite', other), line('ended', SIMULATED), line('ended', other)];
  const legs = await legsOf(lines.join(''));
  expect(legs.map(({ pid }) => pid)).toEqual([7, 8]);
});

test('an incomplete line is left for the next read, and a missing journal has no legs', async () => {
  expect(await legsOf(`${line('invite', OVER_SIP)}{"at":"2026-11-2`)).toMatchObject([{ answered: false }]);
  expect(await readCarrierLog(join(dir, 'none'))).toEqual([]);
});
