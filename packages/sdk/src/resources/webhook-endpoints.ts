import { bodyOf, withSignal, type Api, type RequestOptions } from '../http/api.ts';
import { pageOf, Pages } from '../pages.ts';
import type {
  CreatedWebhookEndpoint,
  NewWebhookEndpoint,
  RotatedWebhookSecret,
  TestWebhookType,
  WebhookDelivery,
  WebhookDeliveryFilter,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookMessage,
  WebhookRotation,
} from '../types.ts';
import { PerCallSecretResource } from './per-call-secret.ts';
import { WebhookReplaysResource } from './webhook-replays.ts';

const PATH = '/api/v1/webhook-endpoints';
const ONE = '/api/v1/webhook-endpoints/{endpoint_id}';

/** Where the account's webhooks are sent. Needs the scope `manage`. */
export class WebhookEndpointsResource {
  readonly replays: WebhookReplaysResource;
  readonly perCallSecret: PerCallSecretResource;
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
    this.replays = new WebhookReplaysResource(api);
    this.perCallSecret = new PerCallSecretResource(api);
  }

  /** Oldest first. */
  async list(options: RequestOptions = {}): Promise<readonly WebhookEndpoint[]> {
    return (await bodyOf(this.#api.http.GET(PATH, withSignal(options)))).endpoints;
  }

  /** The secret is in the answer, this once. It is not repeated when its answer is lost. */
  create(body: NewWebhookEndpoint, options: RequestOptions = {}): Promise<CreatedWebhookEndpoint> {
    return bodyOf(this.#api.http.POST(PATH, { body, ...withSignal(options) }));
  }

  async get(endpointId: string, options: RequestOptions = {}): Promise<WebhookEndpoint> {
    return (await bodyOf(this.#api.http.GET(ONE, { params: paramsOf(endpointId), ...withSignal(options) }))).endpoint;
  }

  /** Fields that are left out stay. Repeating it changes nothing either. @throws ConflictError if it may not be enabled now */
  async update(
    endpointId: string,
    body: WebhookEndpointChange,
    options: RequestOptions = {},
  ): Promise<WebhookEndpoint> {
    const { http, transport } = this.#api;
    const init = { params: paramsOf(endpointId), body, fetch: transport.sendRepeatable, ...withSignal(options) };
    return (await bodyOf(http.PATCH(ONE, init))).endpoint;
  }

  /** Drops what waits for it. */
  async delete(endpointId: string, options: RequestOptions = {}): Promise<void> {
    await this.#api.http.DELETE(ONE, { params: paramsOf(endpointId), ...withSignal(options) });
  }

  /**
   * A new secret, in the answer, this once. Both secrets sign until the old one ends.
   *
   * @throws ConflictError while the secret before the current one still signs
   */
  rotateSecret(
    endpointId: string,
    body: WebhookRotation = {},
    options: RequestOptions = {},
  ): Promise<RotatedWebhookSecret> {
    const init = { params: paramsOf(endpointId), body, ...withSignal(options) };
    return bodyOf(this.#api.http.POST(`${ONE}/rotate-secret`, init));
  }

  /** Sends an example. @throws ConflictError if the endpoint is disabled */
  async test(
    endpointId: string,
    type: TestWebhookType = 'webhook.test',
    options: RequestOptions = {},
  ): Promise<WebhookMessage> {
    const init = { params: paramsOf(endpointId), body: { type }, ...withSignal(options) };
    return (await bodyOf(this.#api.http.POST(`${ONE}/test`, init))).message;
  }

  /** What was sent to the endpoint, or will be, newest first. */
  deliveries(
    endpointId: string,
    { cursor: first, ...rest }: WebhookDeliveryFilter = {},
    options: RequestOptions = {},
  ): Pages<WebhookDelivery> {
    return new Pages(async (cursor) => {
      const query = cursor === undefined ? rest : { ...rest, cursor };
      const params = { ...paramsOf(endpointId), query };
      const page = await bodyOf(this.#api.http.GET(`${ONE}/deliveries`, { params, ...withSignal(options) }));
      return pageOf(page.deliveries, page);
    }, first);
  }
}

function paramsOf(endpointId: string) {
  return { path: { endpoint_id: endpointId } };
}
