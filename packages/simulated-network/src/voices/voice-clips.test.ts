import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TEST_NUMBERS } from '../personas/test-numbers.ts';
import { CALLEE_VOICE, clipFileName, createVoiceClips, VoiceClipError, VOICES_FOLDER } from './voice-clips.ts';
import { readWav, writeWav } from './wav.ts';

const voice = CALLEE_VOICE;
const loudnessOf = (samples: Int16Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
const sounds = [...TEST_NUMBERS.values()].flatMap((persona) => persona.sounds);
const TEXTS = [...new Set(sounds.flatMap((sound) => (sound.kind === 'speech' ? [sound.text] : [])))];

describe('the shipped voice clips', () => {
  it('exist for every sentence of every persona, and for no other', async () => {
    expect((await readdir(VOICES_FOLDER)).toSorted()).toEqual(TEXTS.map(clipFileName).toSorted());
  });

  it.each(TEXTS)('speak: %s', async (text) => {
    const samples = await createVoiceClips(VOICES_FOLDER).synthesize({ text, voice });
    const seconds = samples.length / 8_000;
    expect(loudnessOf(samples)).toBeGreaterThan(300);
    // Between one and ten words a second.
    expect(text.split(' ').length / seconds).toBeGreaterThan(1);
    expect(text.split(' ').length / seconds).toBeLessThan(10);
  });

  it('are small', async () => {
    const files = await Promise.all((await readdir(VOICES_FOLDER)).map((name) => stat(new URL(name, VOICES_FOLDER))));
    expect(files.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(1_000_000);
  });
});

describe('a clip', () => {
  let path: string;
  let folder: URL;

  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'outdial-voices-'));
    folder = pathToFileURL(`${path}/`);
  });

  afterEach(() => rm(path, { recursive: true }));

  it('that are missing are reported with how to make them', async () => {
    const speaking = createVoiceClips(folder).synthesize({ text: 'Hello?', voice });
    await expect(speaking).rejects.toThrow(VoiceClipError);
    await expect(speaking).rejects.toThrow(/hello-\w{8}\.wav cannot be read \(ENOENT\)\. Run `npm run make-voices/);
  });

  it('that are damaged are not played', async () => {
    const file = writeWav(new Int16Array(800));
    await writeFile(join(path, clipFileName('Hello?')), file.subarray(0, 400));
    await expect(createVoiceClips(folder).synthesize({ text: 'Hello?', voice })).rejects.toThrow(/is damaged/);
  });

  it('reads back as it was written, and rejects any other bytes', () => {
    const samples = fc.array(fc.integer({ min: -32_768, max: 32_767 })).map((values) => Int16Array.from(values));
    fc.assert(
      fc.property(samples, (written) => {
        expect(readWav(writeWav(written))).toEqual(written);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (garbage) => {
        expect(readWav(Buffer.from(garbage))).toBeUndefined();
      }),
    );
  });
});
