// The model thread, which dies or blocks when a test asks for it: the product has no hooks.
import { pathToFileURL } from 'node:url';
import { parentPort } from 'node:worker_threads';

parentPort.on('message', (fault) => {
  if (fault.kind === 'die') throw new Error('the thread died');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, fault.forMs);
});
parentPort.unref();
await import(pathToFileURL(process.argv[2]).href);
