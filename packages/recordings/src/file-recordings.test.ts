import { rm, writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { invariant } from '@outdial/kernel';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestStore } from '../test/test-store.ts';

let files: TestStore;

beforeEach(async () => {
  files = await TestStore.create();
});
afterEach(() => files.remove());

describe('recordings in a folder', () => {
  it('does not leave its folder, whatever the key', async () => {
    const store = files.open();
    const secret = `${files.directory}-secret.wav`;
    await writeFile(secret, 'secret');
    try {
      const step = fc.constantFrom('..', '.', 'ab', '/', `${files.directory}-secret.wav`, '%2e%2e', '\\');
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
          expect(await store.open(steps.join('/'))).toBeNull();
        }),
      );
    } finally {
      await rm(secret);
    }
  });

  it('are given from their first byte alone', async () => {
    const { store, key } = await files.record(1);
    const recording = await store.open(key);
    invariant(recording, 'the recording is there');
    expect(String(await buffer(recording.read({ start: 0, end: 0 })))).toBe('R');
  });
});
