export { createDialMarks } from './dial-marks.ts';
export { createGate, type GateOptions } from './gate.ts';
export { createTrunkChannels } from './trunk-channels.ts';
export { assertGateSupport, GateUnsupportedError } from './support.ts';
