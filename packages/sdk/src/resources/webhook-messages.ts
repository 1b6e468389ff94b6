import { bodyOf, withSignal, type Api, type RequestOptions } from '../http/api.ts';
import type { WebhookDelivery, WebhookMessageDetail } from '../types.ts';

const ONE = '/api/v1/webhook-messages/{message_id}';

/** What is sent to endpoints. Needs the scope `manage`. */
export class WebhookMessagesResource {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** The message with its body, and for each endpoint all attempts. */
  get(messageId: string, options: RequestOptions = {}): Promise<WebhookMessageDetail> {
    const params = { path: { message_id: messageId } };
    return bodyOf(this.#api.http.GET(ONE, { params, ...withSignal(options) }));
  }

  /** Sends it to the endpoint again, with the same `webhook-id`. @throws ConflictError if the endpoint is disabled, or got it 100 times */
  async resend(messageId: string, endpointId: string, options: RequestOptions = {}): Promise<WebhookDelivery> {
    const params = { path: { message_id: messageId } };
    const init = { params, body: { endpoint_id: endpointId }, ...withSignal(options) };
    return (await bodyOf(this.#api.http.POST(`${ONE}/resend`, init))).delivery;
  }
}
