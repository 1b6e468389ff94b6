export { presentCall } from './present-call.ts';
export { presentEvent } from './present-event.ts';
export { timestamp, timestampOrNull } from './timestamp.ts';
