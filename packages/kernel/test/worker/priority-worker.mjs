import { readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

register();
const { raiseThreadPriority, runInRealTime } = await import('../../src/thread-priority.ts');
const raised = workerData === 'real_time' ? runInRealTime() : raiseThreadPriority(workerData);
// Fields 40 and 41 (proc(5)), of which the first two hold the name, which may have spaces.
const stat = process.platform === 'linux' ? readFileSync('/proc/thread-self/stat', 'utf8') : '';
const [realTimePriority, policy] = stat
  .slice(stat.lastIndexOf(')') + 2)
  .split(' ')
  .slice(37, 39)
  .map(Number);
parentPort?.postMessage({ raised, priority: getPriority(), policy, realTimePriority }, []);
