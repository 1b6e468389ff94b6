export { createBreakers } from './breakers.ts';
export { createDialMarks } from './dial-marks.ts';
export { createGate, type GateOptions } from './gate.ts';
export { createFundsGate } from './funds-gate.ts';
export { createLineGate, createLineReader } from './line-gate.ts';
export {
  createMonitorPlaces,
  MONITOR_LEASE_MS,
  subscribeToMonitors,
  type MonitorPlace,
  type MonitorPlaces,
} from './monitor-places.ts';
export { createTrunkChannels } from './trunk-channels.ts';
export { assertGateSupport, GateUnsupportedError } from './support.ts';
