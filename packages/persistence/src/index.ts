export { createAcceptStore } from './accept/accept-store.ts';
export type { AccountAdministration, AccountChanges, AccountRecord, NewAccount } from './administration/accounts.ts';
export { AccountBoundReached, queryWithAccountLocked, type BoundedThing } from './administration/account-bounds.ts';
export type { AccountRequestRecord, RequestAdministration } from './administration/account-requests.ts';
export type { OwnedNumberRecord } from './administration/all-numbers.ts';
export { createAdministration, type Administration } from './administration/administration.ts';
export type { AgentAdministration, AgentGrantInput, AgentRecord } from './administration/agents.ts';
export { createAnalysisStore } from './analyses/analysis-store.ts';
export { auditPart, type AuditEntry } from './administration/audit.ts';
export { containing } from './administration/containing.ts';
export type {
  BlockedDestinationAdministration,
  BlockedDestinationInput,
} from './administration/blocked-destinations.ts';
export type { CapacityAdministration } from './administration/capacity.ts';
export type { SecretAdministration, SecretRecord } from './administration/account-secrets.ts';
export type { CredentialRecord } from './administration/credential-record.ts';
export type { CredentialAdministration, CredentialCursor, NewCredential } from './administration/credentials.ts';
export type { DiallingAdministration, DiallingRecord } from './administration/dialling.ts';
export type { ApiKeyRecord, KeyAdministration, NewApiKey } from './administration/keys.ts';
export type { PhoneNumberRecord } from './administration/number-columns.ts';
export type { ModelDeckRecord, ModelDeckSummary, ModelRateAdministration } from './administration/model-rates.ts';
export type { NumberAdministration, NumberInput } from './administration/numbers.ts';
export type { DeckRate, DeckRecord, DeckSummary, RateAdministration } from './administration/rates.ts';
export type { Refusal, RefusalCode } from './administration/refusal.ts';
export type { TrunkRecord, TrunkReport } from './administration/trunk-record.ts';
export type { TrunkTestRecord, TrunkTestResult } from './administration/trunk-tests.ts';
export type { NewTrunkCredentials, TrunkSettings } from './administration/trunk-changes.ts';
export type { TrunkAdministration } from './administration/trunks.ts';
export type {
  LedgerRecord,
  TopUpInput,
  TopUpResult,
  WalletAdministration,
  WalletRecord,
} from './administration/wallets.ts';
export {
  createCandidateReader,
  createCredentialDirectory,
  type ReadCandidates,
} from './credentials/credential-directory.ts';
export { findCredentialNames, findSecretNames, type NamedCredential } from './credentials/credential-names.ts';
export { createCredentialSource, type CredentialSourceOptions } from './credentials/credential-source.ts';
export { createDatabase, type Database, type DatabaseOptions } from './database.ts';
export { Prisma, PrismaClient } from './generated/client.ts';
export { checkDatabase } from './check-database.ts';
export { isDatabaseAway } from './database-away.ts';
export { watchedDatabase } from './database-outages.ts';
export { cachedDirectory, type CachedDirectoryOptions } from './directory/cached-directory.ts';
export { createDirectory, type DirectorySource } from './directory/directory.ts';
export { findStoredKeys } from './directory/stored-keys.ts';
export { createKeyUsage, type KeyUsage, type KeyUsageOptions } from './directory/key-usage.ts';
export type { CommitHook, ObserveCommit } from './group-commit.ts';
export { createDriveStore, type DriveStoreOptions } from './drive/drive-store.ts';
export { createEndStore } from './drive/end-store.ts';
export type { LedgerPosition, OwnLedgerRecord } from './own-account/ledger.ts';
export type { AuditRecord } from './read/list-audit.ts';
export { openOwnAccount, type OwnAccount } from './own-account/own-account.ts';
export type { AgentCursor, AgentPage } from './own-account/agent-page.ts';
export type { AgentVersionRecord } from './own-account/agent-versions.ts';
export type { NoticeRecord } from './own-account/notices.ts';
export { MAX_OPEN_REQUESTS } from './own-account/own-requests.ts';
export type { OwnCredentials, OwnSecrets } from './own-account/own-credentials.ts';
export type { NumberChanges } from './own-account/own-numbers.ts';
export type { DayOfSpend } from './own-account/spend.ts';
export type { CallSums, StepBounds, SubjectTotals, Totals } from './own-account/totals.ts';
export { createOperationsReader, type MinuteOfWaiting, type OperationsReader } from './operations/operations-reader.ts';
export type { OperatedCredential, OperatedLine } from './operations/provider-credentials.ts';
export { createDuties, type Duties, type Duty } from './operations/duties.ts';
export type { ScheduledCounts, ScheduleFigures } from './operations/schedule-figures.ts';
export { createWorkerRegistry, type WorkerRegistry, type WorkerReport } from './operations/worker-registry.ts';
export type { WorkerAdministration, WorkerRecord } from './administration/workers.ts';
export { isDiallingPaused } from './operations/dialling-state.ts';
export { createDialCountSweep, type DialCountSweep } from './policies/sweep-dial-counts.ts';
export { createCallReader } from './read/call-reader.ts';
export { createChangeReader } from './read/change-reader.ts';
export { createExportCalls } from './read/export-calls.ts';
export { createRetentionStore, type OldCalls, type RetentionStore } from './retention/retention-store.ts';
export { readRetention } from './retention/read-retention.ts';
export {
  daysOf,
  LEAST_KEY_DAYS,
  MOST_DAYS,
  replayDaysOf,
  RETENTION_KINDS,
  retentionProblem,
  type RetentionKind,
  type RetentionSettings,
} from './retention/retention-settings.ts';
export type { RetentionAdministration, RetentionChanges } from './administration/retention.ts';
export { createScheduleStore } from './schedule/schedule-store.ts';
export { createTransferStore } from './transfers/transfer-store.ts';
export type { AddOutcome, SuppressionImport } from './suppressions/add-suppressions.ts';
export type { OperatorPolicy, PolicyAdministration } from './administration/calling-policies.ts';
export { defaultPolicyEnv, ensureDefaultPolicy } from './policies/default-policy.ts';
export type { SavedPolicy } from './administration/save-calling-policy.ts';
export type { OwnCallingPolicy } from './own-account/own-calling-policy.ts';
export type { PolicyAnswer } from './policies/check-policy.ts';
export type { CallingPolicyRecord } from './policies/policy-record.ts';
export type { PolicyInForce } from './policies/read-policies.ts';
export type { OwnSuppressions } from './own-account/own-suppressions.ts';
export {
  checkSuppressions,
  type SuppressionCheck,
  type SuppressionCursor,
  type SuppressionPage,
} from './suppressions/read-suppressions.ts';
export type { RemoveOutcome } from './suppressions/remove-suppression.ts';
export type { OwnCampaigns } from './own-account/own-campaigns.ts';
export type { OwnUploads } from './own-account/own-uploads.ts';
export type { ContactFields, ResultRecord } from './campaigns/read-results.ts';
export type { UploadRecord } from './campaigns/read-uploads.ts';
export type { AddBatchOutcome, Upload, UploadProblem } from './campaigns/uploads.ts';
export type { AddContactsOutcome, NewContact } from './campaigns/add-contacts.ts';
export { administerCampaigns, type CampaignAdministration } from './campaigns/administer-campaigns.ts';
export type { CampaignChange, CampaignOutcome, CampaignPlan, CampaignWish } from './campaigns/change-campaign.ts';
export type { DeleteCampaignOutcome } from './campaigns/delete-campaign.ts';
export type { CampaignCursor, ContactCursor, ContactRecord } from './campaigns/read-campaigns.ts';
export { createCampaignSweepStore } from './campaigns/sweep-campaigns.ts';
export type { SuppressionRecord } from './suppressions/suppression-record.ts';
export type { SuppressionAdministration } from './administration/suppressions.ts';
export { createSystemReader } from './read/system-reader.ts';
export { createTimelineReader } from './read/timeline-reader.ts';
export { createTurnReader } from './read/turn-reader.ts';
export { createLineDirectory } from './lines/line-directory.ts';
export { createEvaluationStore } from './evaluations/create-evaluation-store.ts';
export type {
  BeginEvaluationOutcome,
  EvaluationRecord,
  EvaluationStore,
  NewEvaluation,
  NewRun,
  RunJob,
  RunRecord,
  RunResult,
} from './evaluations/evaluation-store.ts';
export { createTryStore } from './tries/create-try-store.ts';
export type { BeginTryOutcome, TryJob, TryRecord, TryStore } from './tries/try-store.ts';
export { createLineStore } from './lines/line-store.ts';
export { createDialAttemptStore } from './trunks/dial-attempt-store.ts';
export { createTrunkConditions } from './trunks/trunk-conditions.ts';
export { createTrunkEvidence } from './trunks/trunk-evidence.ts';
export { cachedTrunkAvailability, createTrunkAvailabilityStore } from './trunks/trunk-availability.ts';
export { createTrunkTests, type DueTrunkTest, type TrunkTests } from './trunks/trunk-tests.ts';
export { createTrunkDirectory, type TrunkDirectoryOptions } from './trunks/trunk-directory.ts';
export { formatIncrements, formatRatesCsv } from './rates-csv/format-rates-csv.ts';
export { parseRatesCsv, readRatesCsv, type ParsedRatesCsv } from './rates-csv/parse-rates-csv.ts';
export { RATE_COLUMNS } from './rates-csv/rates-csv.ts';
export { importNumbers, type ImportReport } from './numbers-csv/import-numbers.ts';
export { NumbersFileError } from './numbers-csv/numbers-csv.ts';
export { formatModelRatesCsv, MODEL_RATE_CSV_COLUMNS } from './model-rates-csv/format-model-rates-csv.ts';
export { parseModelRatesCsv, type ParsedModelRatesCsv } from './model-rates-csv/parse-model-rates-csv.ts';
export { countEndedCalls } from './totals/count-ended-calls.ts';
export { createRecordedCalls } from './recordings/recorded-calls.ts';
export { createHoldReader } from './reconcile/open-holds.ts';
export { createReconcileStore } from './reconcile/reconcile-store.ts';
export {
  administerWebhooks,
  type OwnedWebhookEndpoint,
  type WebhookAdministration,
  type WebhooksState,
} from './webhooks/administer-webhooks.ts';
export type { EndpointActivity, HourOfDeliveries } from './webhooks/activity.ts';
export {
  DELIVERY_STATES,
  type AttemptRecord,
  type DeliveryOfCall,
  type DeliveryPage,
  type DeliveryPosition,
  type DeliveryQuery,
  type DeliveryRecord,
  type DeliveryState,
  type MessageDetails,
  type MessageRecord,
} from './webhooks/delivery-log.ts';
export type { DisabledReason, EndpointState, SecretToSeal, WebhookEndpointRecord } from './webhooks/endpoint-record.ts';
export type { NewWebhookEndpoint, RotateOutcome } from './webhooks/own-endpoints.ts';
export type { StoreResultOutcome } from './webhooks/own-listeners.ts';
export {
  REPLAYED,
  type NewReplay,
  type Replayed,
  type ReplayOutcome,
  type ReplayRecord,
} from './webhooks/own-replays.ts';
export type { PerCallEndpoint, PerCallSecretOutcome } from './webhooks/per-call-endpoint.ts';
export type { ResendOutcome, SendOutcome } from './webhooks/send-again.ts';
export type { UpdateOutcome, WebhookEndpointChanges } from './webhooks/update-endpoint.ts';
export {
  createWebhookEndpoints,
  type WebhookEndpoints,
  type WebhookEndpointsInput,
} from './webhooks/webhook-endpoints.ts';
export { createListenerStore } from './webhooks/listener-store.ts';
export { createWebhookStore, type WebhookStoreOptions } from './webhooks/webhook-store.ts';
