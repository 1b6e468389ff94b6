import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CALLEE_VOICE, createVoiceClips, VOICES_FOLDER } from '@outdial/simulated-network';
import { openBrowser } from '@outdial/testkit/browser';
import type { Browser } from 'playwright-core';

const RATE = 8_000;
const HEADER_BYTES = 44;

/** What the microphone hears, in order: silence, or a sentence of the simulated callees. It begins again after the last. */
export type Heard = { readonly silenceMs: number } | { readonly text: string };

export interface MicrophoneBrowser {
  readonly browser: Browser;
  close(): Promise<void>;
}

/** A browser whose microphone hears this, and may be used by every page. */
export async function openMicrophoneBrowser(heard: readonly Heard[]): Promise<MicrophoneBrowser> {
  const dir = await mkdtemp(join(tmpdir(), 'outdial-microphone-'));
  const path = join(dir, 'microphone.wav');
  await writeFile(path, wavOf(await samplesOf(heard)));
  const browser = await openBrowser([
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-audio-capture=${path}`,
  ]);
  return {
    browser,
    async close() {
      await browser.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function samplesOf(heard: readonly Heard[]): Promise<Int16Array> {
  const clips = createVoiceClips(VOICES_FOLDER);
  const parts = await Promise.all(
    heard.map(async (part) =>
      'text' in part
        ? clips.synthesize({ text: part.text, voice: CALLEE_VOICE })
        : new Int16Array((part.silenceMs * RATE) / 1_000),
    ),
  );
  return Int16Array.from(parts.flatMap((samples) => [...samples]));
}

/** 16 bits, mono. */
function wavOf(samples: Int16Array): Buffer {
  const file = Buffer.alloc(HEADER_BYTES + 2 * samples.length);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(RATE, 24);
  file.writeUInt32LE(2 * RATE, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(2 * samples.length, 40);
  for (const [at, sample] of samples.entries()) file.writeInt16LE(sample, HEADER_BYTES + 2 * at);
  return file;
}
