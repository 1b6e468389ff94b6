import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CALLEE_VOICE, createVoiceClips, VOICES_FOLDER } from '@outdial/simulated-network';
import { toWav } from '@outdial/testkit';
import { openBrowser } from '@outdial/testkit/browser';
import type { Browser } from 'playwright-core';

const RATE = 8_000;

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
  await writeFile(path, toWav(await samplesOf(heard)));
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
