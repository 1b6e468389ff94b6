import { once } from 'node:events';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import type { SpeechSynthesizer } from '@outdial/calls';
import { pause, type Clock } from '@outdial/kernel';
import { serveSpeech } from '@outdial/telephony';
import type { FromMediaThread, MediaThreadInput, ToMediaThread } from './input.ts';

export interface MediaThreadOptions extends Omit<MediaThreadInput, 'mediaPort' | 'speechPort'> {
  readonly speech: SpeechSynthesizer;
  readonly clock: Clock;
  /** Called if the thread ends without a request to. */
  readonly onLost: (error: unknown) => void;
}

export interface MediaThread {
  /** For the media client. Closing it ends the calls in the thread. */
  readonly port: MessagePort;
  /** Rejects if the thread fails before it can take calls. */
  readonly ready: Promise<unknown>;
  /** Its agents talk to their minds over this port from now on. `onSilent` is called if it was given up. */
  useBridge(bridge: MessagePort, onSilent: () => void): void;
  /** Call after the client has closed: waits briefly for recordings to finish. */
  close(): Promise<void>;
}

const CLOSE_WITHIN_MS = 2_000;
/**
 * A collection of this young generation takes a millisecond. With a larger one, memory outside the heap waits for it so long
 * that the runtime begins full collections instead, of 5 to 25 ms each.
 */
const YOUNG_GENERATION_MB = 16;

export function startMediaThread({ speech, clock, onLost, ...input }: MediaThreadOptions): MediaThread {
  const media = new MessageChannel();
  const spoken = new MessageChannel();
  serveSpeech(spoken.port1, speech);
  const thread = startThread({ ...input, mediaPort: media.port2, speechPort: spoken.port2 });
  const ready = once(thread, 'message');
  const bridges: (() => void)[] = [];
  thread.on('message', (message: FromMediaThread) => {
    if (message.kind === 'bridge_silent') bridges[message.nth]?.();
  });
  let isOver = false;
  const lose = (error: unknown): void => {
    if (isOver) return;
    isOver = true;
    onLost(error);
  };
  thread.once('error', lose);
  const exited = new Promise<void>((resolve) => {
    thread.once('exit', (code) => {
      resolve();
      lose(new Error(`the media thread ended with code ${code}`));
    });
  });
  return {
    port: media.port1,
    ready,
    useBridge(bridge, onSilent) {
      thread.postMessage({ bridge, nth: bridges.length } satisfies ToMediaThread, [bridge]);
      bridges.push(onSilent);
    },
    async close() {
      isOver = true;
      spoken.port1.close();
      await Promise.race([exited, pause(clock, CLOSE_WITHIN_MS)]);
      await thread.terminate();
    },
  };
}

/** The file beside this one: the built one in production, the source in development and in tests. */
function startThread(workerData: MediaThreadInput): Worker {
  const transferList = [workerData.mediaPort, workerData.speechPort];
  const options = { workerData, transferList, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB } };
  if (import.meta.url.endsWith('.js')) {
    return new Worker(new URL('./thread.js', import.meta.url), { ...options, execArgv: [] });
  }
  const entry = new URL('./thread-from-source.mjs', import.meta.url);
  return new Worker(entry, { ...options, execArgv: ['--conditions=@outdial/source'] });
}
