import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callIdSchema, e164Schema } from '@outdial/contracts';
import { EnvError } from '@outdial/kernel';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openNetworkJournal } from './journal.ts';

const telephone = {
  callId: callIdSchema.parse('0190a1b2-0000-7000-8000-000000000001'),
  number: e164Schema.parse('+12025550105'),
  atMs: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outdial-journal-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a line is in the file as soon as it is recorded, beside the lines of other workers', async () => {
  const path = join(folder, 'journal.jsonl');
  const [one, other] = [openNetworkJournal(path), openNetworkJournal(path)];
  one.onDialled?.(telephone);
  other.onEnded?.(telephone);
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  const head = { at: '2026-01-02T03:04:05.678Z', call_id: telephone.callId, to: telephone.number, pid: process.pid };
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { ...head, event: 'invite' },
    { ...head, event: 'ended' },
  ]);
});

test('a file that cannot be written is rejected at the start with the name of its variable', () => {
  expect(() => openNetworkJournal(join(folder, 'missing', 'journal'))).toThrow(EnvError);
  expect(() => openNetworkJournal(join(folder, 'missing', 'journal'))).toThrow('OUTDIAL_SIMULATED_JOURNAL');
});

test('without a file nothing is written', () => {
  expect(openNetworkJournal(undefined)).toEqual({});
});
