import type { AccountId, CallId, WebhookEndpointId, WebhookMessageId, WebhookType } from '@outdial/contracts';
import type { FinishedAttempt, ListenerStore } from '@outdial/webhooks';
import type { Database } from '../database.ts';
import { readActivity, type EndpointActivity } from './activity.ts';
import {
  findMessage,
  listDeliveries,
  listDeliveriesOfCall,
  type DeliveryOfCall,
  type DeliveryPage,
  type DeliveryQuery,
  type MessageDetails,
} from './delivery-log.ts';
import type { SecretToSeal, WebhookEndpointRecord } from './endpoint-record.ts';
import { createFinish } from './finish-webhooks.ts';
import {
  createEndpoint,
  findEndpoint,
  hasEndpoint,
  listEndpoints,
  removeEndpoint,
  rotateSecret,
  type NewWebhookEndpoint,
  type RotateOutcome,
} from './own-endpoints.ts';
import { LISTENER } from './listener-store.ts';
import { createListener, endListener, findListener, storeHeard, type StoreResultOutcome } from './own-listeners.ts';
import {
  cancelReplay,
  createReplay,
  findReplay,
  type NewReplay,
  type ReplayOutcome,
  type ReplayRecord,
} from './own-replays.ts';
import {
  ensurePerCallEndpoint,
  findPerCallEndpoint,
  setPerCallSecret,
  type PerCallEndpoint,
  type PerCallSecretOutcome,
} from './per-call-endpoint.ts';
import { resend, sendTest, type ResendOutcome, type SendOutcome } from './send-again.ts';
import { updateEndpoint, type UpdateOutcome, type WebhookEndpointChanges } from './update-endpoint.ts';

/**
 * The webhooks of one account. The account is part of every condition: another account's endpoint or message is unknown,
 * like one that never existed. Changes are audited by the statements that make them. Null always means: not found.
 */
export interface WebhookEndpoints {
  /** Standing ones. @throws AccountBoundReached */
  create(input: NewWebhookEndpoint): Promise<WebhookEndpointRecord>;
  /** Oldest first. */
  list(): Promise<readonly WebhookEndpointRecord[]>;
  find(id: WebhookEndpointId): Promise<WebhookEndpointRecord | null>;
  /** Whether there is one of any kind: also a listener, or the endpoint of calls' URLs. */
  has(id: WebhookEndpointId): Promise<boolean>;
  update(id: WebhookEndpointId, changes: WebhookEndpointChanges): Promise<UpdateOutcome | null>;
  /** False: not found. */
  remove(id: WebhookEndpointId): Promise<boolean>;
  rotateSecret(
    id: WebhookEndpointId,
    input: SecretToSeal & { readonly overlapHours: number },
  ): Promise<RotateOutcome | null>;
  sendTest(
    id: WebhookEndpointId,
    message: { readonly type: WebhookType; readonly body: string },
  ): Promise<SendOutcome | null>;
  deliveries(query: DeliveryQuery): Promise<DeliveryPage>;
  deliveriesOfCall(callId: CallId): Promise<readonly DeliveryOfCall[]>;
  /** Of the last 24 hours, for each standing endpoint. */
  activity(): Promise<readonly EndpointActivity[]>;
  message(id: WebhookMessageId): Promise<MessageDetails | null>;
  resend(input: {
    readonly messageId: WebhookMessageId;
    readonly endpointId: WebhookEndpointId;
  }): Promise<ResendOutcome>;
  createReplay(input: NewReplay): Promise<ReplayOutcome | null>;
  findReplay(id: string): Promise<ReplayRecord | null>;
  cancelReplay(id: string): Promise<ReplayRecord | null>;
  /** The endpoint of the URLs that requests to place calls name. */
  readonly perCall: {
    find(): Promise<PerCallEndpoint | null>;
    /** Before the first call that names a URL. Returns whether it made the endpoint: only then the secret is in use. */
    ensure(secret: SecretToSeal): Promise<boolean>;
    setSecret(secret: SecretToSeal & { readonly overlapHours: number }): Promise<PerCallSecretOutcome>;
  };
  readonly listeners: {
    /** @throws AccountBoundReached */
    create(
      input: SecretToSeal & { readonly events: readonly WebhookType[]; readonly maxOfAccount: number },
    ): Promise<WebhookEndpointRecord>;
    /** Null also once it has expired. */
    find(id: WebhookEndpointId): Promise<WebhookEndpointRecord | null>;
    /** False: not found. */
    end(id: WebhookEndpointId): Promise<boolean>;
    storeResult(attempt: FinishedAttempt): Promise<StoreResultOutcome>;
  };
}

export interface WebhookEndpointsInput {
  readonly accountId: AccountId;
  /** Who makes the changes; the audit records it. */
  readonly actor: string;
  /** Stores results that listeners report. The one of the process commits those of all requests in groups. */
  readonly finish?: ListenerStore['finish'];
}

export function createWebhookEndpoints(
  database: Database,
  { accountId, actor, finish = createFinish(database, { workerId: LISTENER }) }: WebhookEndpointsInput,
): WebhookEndpoints {
  const context = { database, accountId, actor };
  return {
    create: (input) => createEndpoint(context, input),
    list: () => listEndpoints(context),
    find: (id) => findEndpoint(context, id),
    has: (id) => hasEndpoint(context, id),
    update: (id, changes) => updateEndpoint(context, id, changes),
    remove: (id) => removeEndpoint(context, id),
    rotateSecret: (id, input) => rotateSecret(context, id, input),
    sendTest: (id, message) => sendTest(context, id, message),
    deliveries: (query) => listDeliveries(context, query),
    deliveriesOfCall: (callId) => listDeliveriesOfCall(context, callId),
    activity: () => readActivity(context),
    message: (id) => findMessage(context, id),
    resend: (input) => resend(context, input),
    createReplay: (input) => createReplay(context, input),
    findReplay: (id) => findReplay(context, id),
    cancelReplay: (id) => cancelReplay(context, id),
    perCall: {
      find: () => findPerCallEndpoint(context),
      ensure: (secret) => ensurePerCallEndpoint(context, secret),
      setSecret: (secret) => setPerCallSecret(context, secret),
    },
    listeners: {
      create: (input) => createListener(context, input),
      find: (id) => findListener(context, id),
      end: (id) => endListener(context, id),
      storeResult: (attempt) => storeHeard(context, finish, attempt),
    },
  };
}
