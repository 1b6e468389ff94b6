import { MessagePort, parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '@outdial/kernel';
import { createMediaHost } from '../../src/media-thread/media-host.ts';
import { CountingAgent } from '../counting-conversation.ts';
import { MemoryRecordings } from '../../src/testing/memory-recordings.ts';

/**
 * A media thread as an app composes it, with agents that count frames in shared memory, which the other thread can
 * read.
 */
const { port, spokenFrames }: { readonly port: unknown; readonly spokenFrames: unknown } = workerData;
if (!(port instanceof MessagePort) || !(spokenFrames instanceof Int32Array)) {
  throw new Error('the media thread needs a port and a shared counter');
}

class SharingAgent extends CountingAgent {
  override speak() {
    Atomics.add(counter, 0, 1);
    Atomics.notify(counter, 0);
    return super.speak();
  }
}
const counter = spokenFrames;

createMediaHost({
  port,
  clock: systemClock,
  agents: { prepare: () => Promise.resolve(new SharingAgent()) },
  recordings: new MemoryRecordings(),
  rtpPorts: { address: '127.0.0.1', firstPort: 31_800, lastPort: 31_899 },
  learning: 'same_host',
  noAudioAfterMs: 60_000,
  metricsEveryMs: 60_000,
});
parentPort?.postMessage('ready', []);
