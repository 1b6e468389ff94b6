import { readFile, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readWav } from '../test/read-wav.ts';
import { newCallId, TestStore } from '../test/test-store.ts';
import { wavHeader } from './wav-header.ts';

let files: TestStore;

beforeEach(async () => {
  files = await TestStore.create();
});
afterEach(() => files.remove());

describe('a recording whose process died', () => {
  it('plays to its end after a repair, wherever it was cut off, and another repair changes nothing', async () => {
    const { store, key, path } = await files.record(50);
    const whole = await readFile(path);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: whole.length }),
        fc.constantFrom('header of the whole', 'header of nothing', 'no header'),
        async (cutAt, header) => {
          const cut = Buffer.from(whole.subarray(0, cutAt));
          if (header === 'no header') cut.fill(0, 0, Math.min(44, cut.length));
          if (header === 'header of nothing' && cut.length >= 44) wavHeader(0).copy(cut);
          await writeFile(path, cut);
          const wholeSamples = Math.floor(Math.max(0, cutAt - 44) / 4);
          expect(await store.repair(key)).toBe(wholeSamples > 0);
          if (wholeSamples === 0) {
            expect(cut.equals(await readFile(path))).toBe(true);
            return;
          }
          const repaired = await readFile(path);
          const wav = readWav(repaired);
          expect(wav.samples.length).toBe(wholeSamples * 2);
          expect(repaired.subarray(44).equals(whole.subarray(44, 44 + wholeSamples * 4))).toBe(true);
          expect(await store.repair(key)).toBe(true);
          expect(repaired.equals(await readFile(path))).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('that was finished is not changed by a repair', async () => {
    const { store, key, path } = await files.record(50);
    await utimes(path, 1_000, 1_000);
    expect(await store.repair(key)).toBe(true);
    expect((await stat(path)).mtimeMs).toBe(1_000_000);
  });

  it('before its first sound has nothing to repair', async () => {
    const { store, key, path } = await files.record(1);
    await truncate(path, 44);
    expect(await store.repair(key)).toBe(false);
    expect(await store.repair(store.keyOf(newCallId()))).toBe(false);
  });
});
