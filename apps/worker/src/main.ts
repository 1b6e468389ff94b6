import { setFlagsFromString } from 'node:v8';
import { runWorker } from './run-worker.ts';
import { PRODUCT_TIMINGS } from './settings/timings.ts';

/**
 * Otherwise a collection of young objects waits for helper threads, which have no priority: packets of the media thread were
 * late while the helpers waited for a processor. Its young generation is small, so that it collects it as fast alone. The other
 * threads took less processor time too.
 */
setFlagsFromString('--no-parallel-scavenge');
runWorker(PRODUCT_TIMINGS);
