import { randomBytes, randomUUID } from 'node:crypto';
import {
  LATEST_WEBHOOK_API_VERSION,
  webhookEndpointIdSchema,
  type AccountId,
  type WebhookEndpointId,
  type WebhookType,
} from '@outdial/contracts';
import { sealSecret } from '@outdial/secrets';
import { createSecret } from '@outdial/webhooks';
import { openStage, type Stage, type StageOptions } from '../stage.ts';
import { startReceiver, type Receiver, type ReceiverOptions } from './receiver.ts';

export interface PlantedEndpoint {
  readonly id: WebhookEndpointId;
  readonly secret: string;
}

export interface EndpointOptions {
  readonly url: string;
  readonly accountId?: AccountId;
  readonly events?: readonly WebhookType[];
}

/** A row of the log of deliveries. */
export interface LoggedAttempt {
  readonly number: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly responseBody: string | null;
}

export interface LoggedDelivery {
  readonly type: WebhookType;
  readonly state: 'pending' | 'delivered' | 'failed' | 'dropped';
  readonly attempts: number;
  readonly triesLeft: number;
}

/** Real stores with an account, and receivers of its webhooks on this machine. */
export interface HookStage extends Stage {
  readonly hookEnvironment: Readonly<Record<string, string>>;
  receiver(options?: ReceiverOptions): Promise<Receiver>;
  endpoint(options: EndpointOptions): Promise<PlantedEndpoint>;
  attemptsTo(endpoint: PlantedEndpoint): Promise<readonly LoggedAttempt[]>;
  /** In the order of their events. */
  deliveriesTo(endpoint: PlantedEndpoint): Promise<readonly LoggedDelivery[]>;
  /** What is pending is due now, as if its time had passed. */
  passTime(endpoint: PlantedEndpoint): Promise<void>;
  /** Ends the receivers and removes the endpoints of a test. */
  clear(): Promise<void>;
}

export async function openHookStage(options: StageOptions = {}): Promise<HookStage> {
  const stage = await openStage(options);
  const { side } = stage.database;
  const secretKey = randomBytes(32);
  const receivers: Receiver[] = [];

  async function clear(): Promise<void> {
    await side.$executeRaw`UPDATE webhook_endpoints SET state = 'disabled', disabled_reason = 'owner', disabled_at = now()
      WHERE state = 'enabled'`;
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  }

  return {
    ...stage,
    hookEnvironment: {
      OUTDIAL_SIMULATED_MEDIA: 'off',
      OUTDIAL_SECRET_KEY: secretKey.toString('hex'),
      OUTDIAL_EGRESS_ALLOW: '127.0.0.0/8',
    },
    async receiver(how) {
      const receiver = await startReceiver(how);
      receivers.push(receiver);
      return receiver;
    },
    async endpoint({ url, accountId = stage.accountId, events = [] }) {
      const id = webhookEndpointIdSchema.parse(randomUUID());
      const secret = createSecret();
      const sealed = sealSecret(secretKey, secret, { purpose: 'webhook secret', owner: id });
      await side.$executeRaw`
        INSERT INTO webhook_endpoints (id, account_id, kind, url, events, api_version, sealed_secret, created_by)
        VALUES (${id}::uuid, ${accountId}::uuid, 'standing', ${url}, ${events}::text[], ${LATEST_WEBHOOK_API_VERSION},
          ${sealed}::bytea, 'test')`;
      return { id, secret };
    },
    attemptsTo: ({ id }) => side.$queryRaw<LoggedAttempt[]>`
      SELECT number, status, error, response_body AS "responseBody" FROM webhook_attempts
      WHERE endpoint_id = ${id}::uuid ORDER BY started_at, number`,
    deliveriesTo: ({ id }) => side.$queryRaw<LoggedDelivery[]>`
      SELECT type, state, attempts, tries_left AS "triesLeft" FROM webhook_deliveries
      WHERE endpoint_id = ${id}::uuid ORDER BY event_id, created_at`,
    async passTime({ id }) {
      await side.$executeRaw`
        UPDATE webhook_lanes SET not_before = LEAST(not_before, clock_timestamp()) WHERE endpoint_id = ${id}::uuid`;
      await side.$executeRaw`
        UPDATE webhook_deliveries SET due_at = LEAST(due_at, clock_timestamp()) WHERE endpoint_id = ${id}::uuid
          AND state = 'pending' AND claimed_until IS NULL`;
    },
    clear,
    async close() {
      await clear();
      await stage.close();
    },
  };
}
