export * from './breaker.ts';
export * from './call-state.ts';
export * from './call.ts';
export * from './conducted-call.ts';
export * from './model-rate-deck.ts';
export * from './ports/accept-store.ts';
export * from './ports/analyses.ts';
export * from './ports/breakers.ts';
export * from './ports/call-queue.ts';
export * from './ports/call-reader.ts';
export * from './ports/campaign-store.ts';
export * from './ports/carrier.ts';
export * from './ports/change-reader.ts';
export * from './ports/conversation.ts';
export * from './ports/credential-directory.ts';
export * from './ports/credentials.ts';
export * from './ports/directory.ts';
export * from './ports/drive-store.ts';
export * from './ports/gate.ts';
export * from './ports/hold-reader.ts';
export * from './ports/lines.ts';
export * from './ports/observer.ts';
export * from './ports/reconcile-store.ts';
export * from './ports/recorded-calls.ts';
export * from './ports/recording-store.ts';
export * from './ports/schedule-store.ts';
export * from './ports/system-reader.ts';
export * from './ports/timeline.ts';
export * from './ports/transfer-store.ts';
export * from './ports/transfers.ts';
export * from './ports/trunks.ts';
export * from './ports/voice-agent.ts';
export * from './ports/wrap-conversation.ts';
export type { AnswerDelays, TurnMetrics } from './turn-metrics.ts';
export * from './leg.ts';
export * from './line.ts';
export * from './pricing.ts';
export * from './rate-deck.ts';
export * from './trunk.ts';
export * from './usage-cost.ts';
export {
  createAcceptCall,
  type AcceptCallDeps,
  type AcceptCallOutcome,
  type AcceptCallRequest,
} from './accept/accept-call.ts';
export { idempotentCallId } from './accept/idempotency.ts';
export { retryOf } from './accept/ask-schedule.ts';
export { createTransferRules, type TransferRulesDeps } from './drive/check-transfer.ts';
export { contactProblems, destinationProblem, type ContactRules } from './accept/check-contact.ts';
export {
  createPlanCampaign,
  type AskedCampaign,
  type CampaignRefusal,
  type PlanCampaign,
  type PlannedCampaign,
} from './accept/plan-campaign.ts';
export type {
  CampaignCounts,
  CampaignHours,
  CampaignRecord,
  CampaignRetry,
  CampaignSettings,
  ReasonCount,
} from './campaign.ts';
export { estimateFinish, everOpens } from './schedule/estimate-finish.ts';
export { planModels, type ModelDirectories, type ModelRefusal } from './accept/plan-models.ts';
export { GateClosed } from './accept/reserve-call.ts';
export { createEndCall, type EndCallDeps, type EndCallOutcome } from './end-call.ts';
export { createCallDriver, type CallDriver, type CallDriverDeps } from './drive/call-driver.ts';
export type { DriveOutcome } from './drive/drive-call.ts';
export { LEASE_MS, LEASE_TIMES, leaseTimes, type LeaseTimes } from './lease.ts';
export { createUsageMeter, type UsageMeter } from './drive/usage-meter.ts';
export { restoreLines } from './lines/restore-lines.ts';
export type { LineDeps } from './lines/acquire-lines.ts';
export { createAdmitDue, type AdmitDue, type AdmitDueDeps } from './schedule/admit-due.ts';
export { createSweepCampaigns, type SweepCampaigns, type SweepCampaignsDeps } from './schedule/sweep-campaigns.ts';
export { checkBreakers, type CheckBreakersDeps, type ModelToCheck } from './lines/check-breakers.ts';
export { recordOutcome, type OutcomeDeps, type UsedModel } from './lines/record-outcome.ts';
export { takeLine, type TakeLineDeps, type TakenLine } from './lines/take-line.ts';
export { endedReasonOf } from './settle/end-reason.ts';
export { chooseTrunksNow } from './trunks/choose-trunks.ts';
export { evaluateTrunk, type TrunkBreakerState } from './trunks/evaluate-trunk.ts';
export type { TrunkEvidence } from './trunk-evidence.ts';
export { AVAILABILITY_TTL_MS } from './trunks/trunk-wait.ts';
export { limitSystem, type LimitSystemDeps } from './trunks/limit-system.ts';
export { expireRecordings, type ExpireRecordingsDeps } from './recordings/expire-recordings.ts';
export { uploadRecordings, type UploadRecordingsDeps } from './recordings/upload-recordings.ts';
export {
  compareGate,
  DRIFT_KINDS,
  type CompareGateDeps,
  type Difference,
  type DriftKind,
} from './reconcile/compare-gate.ts';
export { createDriftWatch, type DriftWatch } from './reconcile/drift-watch.ts';
export { rebuildGate, type RebuildGateDeps, type RebuildOutcome } from './reconcile/rebuild-gate.ts';
export { reconcile, reconcileParts, type ReconcileDeps } from './reconcile/reconcile.ts';
export { walTimelineState, type WalTimelineState } from './reconcile/wal-timeline-state.ts';
