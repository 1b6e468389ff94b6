export { deferred, type Deferred } from './deferred.ts';
export { ManualClock } from './manual-clock.ts';
