import { runWorker } from './run-worker.ts';
import { PRODUCT_TIMINGS } from './settings/timings.ts';

runWorker(PRODUCT_TIMINGS);
