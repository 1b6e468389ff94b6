// The model thread, which dies or blocks when a test asks for it: the product has no hooks.
import { parentPort } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

parentPort.on('message', (fault) => {
  if (fault.kind === 'die') throw new Error('the thread died');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, fault.forMs);
});
parentPort.unref();
register();
await import('../../src/model-thread/thread.ts');
