import { bodyOf, withSignal, type Api, type RequestOptions } from '../http/api.ts';
import type { NewWebhookReplay, WebhookReplay } from '../types.ts';

const PATH = '/api/v1/webhook-endpoints/{endpoint_id}/replays';
const ONE = '/api/v1/webhook-endpoints/{endpoint_id}/replays/{replay_id}';

/** Sends the events of a time to an endpoint again. Needs the scope `manage`. */
export class WebhookReplaysResource {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** @throws ConflictError if a replay to this endpoint is under way, or the endpoint is disabled */
  async start(endpointId: string, body: NewWebhookReplay, options: RequestOptions = {}): Promise<WebhookReplay> {
    const params = { path: { endpoint_id: endpointId } };
    return (await bodyOf(this.#api.http.POST(PATH, { params, body, ...withSignal(options) }))).replay;
  }

  async get(endpointId: string, replayId: string, options: RequestOptions = {}): Promise<WebhookReplay> {
    const params = { path: { endpoint_id: endpointId, replay_id: replayId } };
    return (await bodyOf(this.#api.http.GET(ONE, { params, ...withSignal(options) }))).replay;
  }

  /** What it has made pending is still sent. */
  async cancel(endpointId: string, replayId: string, options: RequestOptions = {}): Promise<WebhookReplay> {
    const { http, transport } = this.#api;
    const params = { path: { endpoint_id: endpointId, replay_id: replayId } };
    const init = { params, fetch: transport.sendRepeatable, ...withSignal(options) };
    return (await bodyOf(http.POST(`${ONE}/cancel`, init))).replay;
  }
}
