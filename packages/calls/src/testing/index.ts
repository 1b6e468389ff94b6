export { acceptRow, scheduleRow } from './accept/accept-row.ts';
export type { AcceptStoreStage } from './accept/accept-store-stage.ts';
export { describeAcceptStore } from './accept/describe-accept-store.ts';
export { MemoryAcceptStore } from './accept/memory-accept-store.ts';
export type { CarrierStage } from './carrier/carrier-stage.ts';
export { describeCarrier } from './carrier/describe-carrier.ts';
export { CONDUCTED, reportOf, usageOf } from './conducted-calls.ts';
export { describeUsageStore } from './drive/usage-cases.ts';
export { describeTurnStore } from './drive/turn-cases.ts';
export { describeDriveStore } from './drive/describe-drive-store.ts';
export { settlementOf, type DriveStoreStage } from './drive/drive-store-stage.ts';
export { describeGate } from './gate/describe-gate.ts';
export { begunRebuild, collect, limitsOf, openGate, snapshotOf, TIMELINE } from './gate/gate-fixture.ts';
export { GateModel } from './gate/gate-model.ts';
export type { GateStage } from './gate/gate-stage.ts';
export { MemoryGate } from './gate/memory-gate.ts';
export { newAccountId, newCallId, newReservationId } from './ids.ts';
export { describeLineDirectory, type LineDirectoryStage } from './lines/describe-line-directory.ts';
export { describeLineGate, type LineGateStage } from './lines/describe-line-gate.ts';
export { breakerOf, lineOf } from './lines/lines.ts';
export { describeBreakers } from './lines/describe-breakers.ts';
export { MemoryBreakers } from './lines/memory-breakers.ts';
export { MemoryLineDirectory } from './lines/memory-line-directory.ts';
export { MemoryLineGate } from './lines/memory-line-gate.ts';
export { describeRecordingStore, type RecordingStoreStage } from './recordings/describe-recording-store.ts';
export {
  carriedCall,
  describeTrunkEvidence,
  evidenceOf,
  type TrunkEvidenceStage,
} from './trunks/describe-trunk-evidence.ts';
export { MemoryTrunkEvidence } from './trunks/memory-trunk-evidence.ts';
export { trunkOf } from './trunks/trunk-of.ts';
export { describeCallQueue, type CallQueueStage } from './queue/describe-call-queue.ts';
export { MemoryCallQueue } from './queue/memory-call-queue.ts';
export { admitRow } from './schedule/admit-row.ts';
export { describeScheduleStore } from './schedule/describe-schedule-store.ts';
export { MemoryScheduleStore } from './schedule/memory-schedule-store.ts';
export type { ScheduleStoreStage } from './schedule/schedule-store-stage.ts';
