import { runWorker } from './run-worker.ts';
import { PRODUCT_TIMINGS } from './timings.ts';

runWorker(PRODUCT_TIMINGS);
