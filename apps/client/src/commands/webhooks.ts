import type { NewWebhookEndpoint, WebhookDelivery, WebhookDeliveryFilter } from '@outdial/sdk';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { facts, table } from '../terminal/table.ts';
import type { CommandContext } from './command-context.ts';

const LARGEST_PAGE = 100;

export async function listEndpoints(context: CommandContext): Promise<ExitCode> {
  const endpoints = await (await context.client()).webhookEndpoints.list({ signal: context.io.interrupted });
  const rows = endpoints.map(({ id, url, state, events, failures_in_a_row: failures }) => [
    id,
    state,
    String(failures),
    eventsOf(events),
    url,
  ]);
  context.print({ json: { endpoints }, text: table(['ID', 'STATE', 'FAILURES', 'EVENTS', 'URL'], rows) });
  return EXIT.done;
}

/** Prints the secret: no later response contains it. */
export async function createEndpoint(context: CommandContext, body: NewWebhookEndpoint): Promise<ExitCode> {
  const outdial = await context.client();
  const created = await outdial.webhookEndpoints.create(body, { signal: context.io.interrupted });
  const { endpoint, secret } = created;
  const text = facts([
    ['id', endpoint.id],
    ['url', endpoint.url],
    ['events', eventsOf(endpoint.events)],
    ['secret', secret],
  ]);
  context.print({ json: created, text });
  return EXIT.done;
}

export interface DeliveriesOptions {
  readonly endpointId: string;
  readonly state: WebhookDeliveryFilter['state'];
  /** How many at most. */
  readonly limit: number;
}

export async function listDeliveries(
  context: CommandContext,
  { endpointId, state, limit }: DeliveriesOptions,
): Promise<ExitCode> {
  const { webhookEndpoints } = await context.client();
  const filter = { limit: Math.min(limit, LARGEST_PAGE), ...(state === undefined ? {} : { state }) };
  const deliveries: WebhookDelivery[] = [];
  for await (const delivery of webhookEndpoints.deliveries(endpointId, filter, { signal: context.io.interrupted })) {
    deliveries.push(delivery);
    if (deliveries.length === limit) break;
  }
  const rows = deliveries.map((delivery) => [
    delivery.created_at,
    delivery.message_id,
    delivery.type,
    delivery.state,
    String(delivery.attempt_count),
    answerOf(delivery),
  ]);
  const head = ['CREATED', 'MESSAGE', 'TYPE', 'STATE', 'ATTEMPTS', 'ANSWER'];
  context.print({ json: { deliveries }, text: table(head, rows) });
  return EXIT.done;
}

function eventsOf(events: readonly string[]): string {
  return events.length === 0 ? 'all' : events.join(', ');
}

/** The status of the last response, or why there was none. */
function answerOf({ last_status: status, last_error: error }: WebhookDelivery): string {
  return status === null ? (error ?? '-') : String(status);
}
