export { createDialMarks } from './dial-marks.ts';
export { createGate, type GateOptions } from './gate.ts';
export { DEFAULT_KEY_PREFIX } from './keys.ts';
export { createTrunkLines } from './trunk-lines.ts';
export { assertGateSupport, GateUnsupportedError } from './support.ts';
