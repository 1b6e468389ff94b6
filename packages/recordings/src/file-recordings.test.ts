import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { invariant } from '@outdial/kernel';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestStore } from '../test/test-store.ts';
import { openRecordings } from './open-recordings.ts';

let files: TestStore;

beforeEach(async () => {
  files = await TestStore.create();
});
afterEach(() => files.remove());

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe('recordings in a folder', () => {
  it('never leave their folder, with any key', async () => {
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

  it('are inaccessible to other users of the machine', async () => {
    const { store, key } = await files.record(1);
    const path = join(files.directory, key);
    expect(await store.open(key)).not.toBeNull();
    expect([await modeOf(path), await modeOf(dirname(path))]).toEqual(['600', '700']);
  });

  it.each([
    ['a folder of recordings', null],
    ['a spool folder', { bucket: 'calls', endpoint: 'http://127.0.0.1:1' }],
  ])('%s that others could list is restricted at the start', async (_, s3) => {
    const directory = await mkdtemp(join(tmpdir(), 'outdial-recordings-'));
    await mkdir(join(directory, 'ab'));
    await chmod(join(directory, 'ab'), 0o755);
    await chmod(directory, 0o755);
    const settings = s3 && { ...s3, region: 'us-east-1', prefix: '', forcePathStyle: true };
    const recordings = openRecordings({ directory, s3: settings, onError: () => undefined });
    // With a bucket, the store is down: the folder is restricted before the bucket is checked.
    await recordings.check().catch(() => undefined);
    expect([await modeOf(directory), await modeOf(join(directory, 'ab'))]).toEqual(['700', '700']);
    await recordings.close();
    await rm(directory, { recursive: true });
  });

  it('can be read from the first byte', async () => {
    const { store, key } = await files.record(1);
    const recording = await store.open(key);
    invariant(recording, 'the recording is there');
    expect(String(await buffer(recording.read({ start: 0, end: 0 })))).toBe('R');
  });
});
