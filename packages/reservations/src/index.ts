export { createDialMarks } from './dial-marks.ts';
export { createGate, type GateOptions } from './gate.ts';
export { createTrunkLines } from './trunk-lines.ts';
export { assertGateSupport, GateUnsupportedError } from './support.ts';
