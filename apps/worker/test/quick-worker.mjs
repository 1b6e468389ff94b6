// The worker's program with timings chosen by a test, from the JavaScript that the test run has built.
import { runWorker } from '../dist/run-worker.js';
import { workerTimings } from '../dist/settings/timings.js';

runWorker(workerTimings(JSON.parse(process.env.TEST_WORKER_TIMINGS)));
