import { getPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

register();
const { raiseThreadPriority } = await import('../../src/media-thread/thread-priority.ts');
parentPort?.postMessage({ raised: raiseThreadPriority(), priority: getPriority() }, []);
