// The worker's program with timings of a test's choice, from the JavaScript that the run has built.
import { runWorker } from '../dist/run-worker.js';
import { workerTimings } from '../dist/timings.js';

runWorker(workerTimings(JSON.parse(process.env.TEST_WORKER_TIMINGS)));
