export { describeGate } from './gate/describe-gate.ts';
export { begunRebuild, collect, limitsOf, openGate, snapshotOf, TIMELINE } from './gate/gate-fixture.ts';
export { GateModel } from './gate/gate-model.ts';
export type { GateStage } from './gate/gate-stage.ts';
export { MemoryGate } from './gate/memory-gate.ts';
export { newAccountId, newCallId, newReservationId } from './ids.ts';
export { trunkOf } from './trunks.ts';
