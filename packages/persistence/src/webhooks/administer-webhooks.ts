import type { AccountId, WebhookEndpointId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { auditPart, type AdministrationContext } from '../administration/audit.ts';
import { refusal } from '../administration/refusal.ts';
import { Prisma } from '../generated/client.ts';
import { ENDPOINT_COLUMNS, type WebhookEndpointRecord } from './endpoint-record.ts';
import { disabledBy, dropPending, ENABLED, lockedLane, NOTHING_PENDING, resetLane } from './update-endpoint.ts';

export interface OwnedWebhookEndpoint extends WebhookEndpointRecord {
  readonly accountId: AccountId;
  readonly kind: 'standing' | 'per_call' | 'listener';
}

/** Whether webhooks are sent. */
export interface WebhooksState {
  readonly paused: boolean;
  readonly changedAtMs: number | null;
  readonly changedBy: string | null;
}

/** The endpoints of all accounts, for operators. */
export interface WebhookAdministration {
  /** Oldest first. */
  list(accountId?: AccountId): Promise<readonly OwnedWebhookEndpoint[]>;
  /** @throws Refusal `webhook_endpoint_not_found`; so do the others. */
  show(id: WebhookEndpointId): Promise<OwnedWebhookEndpoint>;
  /** Its owner cannot enable it again. */
  disable(id: WebhookEndpointId): Promise<OwnedWebhookEndpoint>;
  /** Begins clean. `enabled` stays false while much of what was pending is still to be dropped. */
  enable(id: WebhookEndpointId): Promise<OwnedWebhookEndpoint>;
  state(): Promise<WebhooksState>;
  /** A change without effect is not audited. */
  setPaused(paused: boolean): Promise<WebhooksState>;
}

const COLUMNS = Prisma.sql`p.account_id AS "accountId", p.kind, ${ENDPOINT_COLUMNS}`;

export function administerWebhooks(context: AdministrationContext): WebhookAdministration {
  const { side } = context.database;

  async function show(id: WebhookEndpointId): Promise<OwnedWebhookEndpoint> {
    const [record] = await side.$queryRaw<OwnedWebhookEndpoint[]>`
      SELECT ${COLUMNS} FROM webhook_endpoints p WHERE p.id = ${id}::uuid AND p.deleted_at IS NULL`;
    if (record) return record;
    const advice = `There is no endpoint ${id}. List the account's endpoints to find its id.`;
    throw refusal('webhook_endpoint_not_found', 'endpoint_id', advice);
  }

  async function change(id: WebhookEndpointId, verb: 'enable' | 'disable'): Promise<OwnedWebhookEndpoint> {
    const { accountId } = await show(id);
    const entry = { action: `webhook_endpoint.${verb}`, subjectId: id, data: { account_id: accountId } } as const;
    await side.$executeRaw`
      WITH ${lockedLane(id)}, changed AS (
        UPDATE webhook_endpoints p SET ${verb === 'enable' ? ENABLED : disabledBy('operator')}
        WHERE p.id = ${id}::uuid AND p.deleted_at IS NULL AND (SELECT count(*) FROM lane) >= 0
          AND ${verb === 'enable' ? Prisma.sql`p.state = 'disabled' AND ${NOTHING_PENDING}` : Prisma.sql`p.state = 'enabled'`}
        RETURNING p.id
      ), ${resetLane(verb === 'enable')}, ${auditPart(context.actor, entry)} SELECT count(*) FROM changed`;
    return show(id);
  }

  return {
    list: (accountId) => side.$queryRaw<OwnedWebhookEndpoint[]>`
      SELECT ${COLUMNS} FROM webhook_endpoints p
      WHERE p.deleted_at IS NULL AND (${accountId ?? null}::uuid IS NULL OR p.account_id = ${accountId ?? null}::uuid)
      ORDER BY p.created_at, p.id`,
    show,
    disable: (id) => change(id, 'disable'),
    async enable(id) {
      const before = await show(id);
      if (before.state === 'enabled' || !(await dropPending(context.database, id))) return before;
      return change(id, 'enable');
    },
    state: () => readState(context),
    async setPaused(paused) {
      const entry = { action: paused ? 'webhooks.pause' : 'webhooks.resume', subjectId: 'system', data: {} } as const;
      await side.$executeRaw`
        WITH changed AS (
          UPDATE system_settings
          SET webhooks_paused = ${paused}, webhooks_changed_at = clock_timestamp(), webhooks_changed_by = ${context.actor}
          WHERE id = 1 AND webhooks_paused <> ${paused} RETURNING id
        ), ${auditPart(context.actor, entry)} SELECT count(*) FROM changed`;
      return readState(context);
    },
  };
}

async function readState({ database: { side } }: AdministrationContext): Promise<WebhooksState> {
  const [row] = await side.$queryRaw<WebhooksState[]>`
    SELECT webhooks_paused AS paused, epoch_ms(webhooks_changed_at) AS "changedAtMs",
      -- The audit identifies a dashboard user by id.
      COALESCE((SELECT u.email FROM users u WHERE 'user:' || u.id = s.webhooks_changed_by), s.webhooks_changed_by)
        AS "changedBy"
    FROM system_settings s WHERE s.id = 1`;
  invariant(row, 'system_settings has its row');
  return row;
}
