import type { CallDriverDeps, Carrier, Conversations, CredentialOpener, RecordingStore } from '@outdial/calls';
import type { Clock, Logger } from '@outdial/kernel';
import type { TrunkReading } from '@outdial/metrics';
import type { Database } from '@outdial/persistence';
import type { RedisClient } from '@outdial/queue';
import type { CallModels } from '../model-thread/call-models.ts';
import type { Loop } from '../loops/loop.ts';
import type { WorkerConfig } from '../settings/config.ts';

export interface Telephony extends Pick<CallDriverDeps, 'trunks'> {
  readonly carrier: Carrier;
  readonly conversations: Conversations;
  /** Resolves once calls can be carried. */
  prepare(): Promise<void>;
  /** For metrics; null for a carrier without trunks. */
  readonly readTrunks: (() => Promise<TrunkReading>) | null;
  /** For metrics; null without a TLS certificate. */
  readonly certificateExpiresAtMs: (() => number) | null;
  /** The background work of the carrier. */
  startLoops(): readonly Loop[];
  close(): Promise<void>;
}

export interface TelephonyOptions {
  readonly config: WorkerConfig;
  readonly database: Database;
  readonly redis: RedisClient;
  readonly recordings: RecordingStore;
  readonly workerId: string;
  /** Opens the credentials of calls that models conduct. */
  readonly credentials: CredentialOpener;
  /** Their breakers and lines. */
  readonly calls: CallModels;
  readonly clock: Clock;
  readonly logger: Logger;
}
