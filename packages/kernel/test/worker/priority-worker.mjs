import { getPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

register();
const { raiseThreadPriority } = await import('../../src/thread-priority.ts');
parentPort?.postMessage({ raised: raiseThreadPriority(workerData), priority: getPriority() }, []);
