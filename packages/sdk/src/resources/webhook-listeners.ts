import { readEvents } from '../calls/read-events.ts';
import { isPassing, PATIENCE_MS } from '../calls/timeline.ts';
import type { Clock } from '../clock.ts';
import { bodyOf, withSignal, type Api, type RequestOptions } from '../http/api.ts';
import { connectionFailed } from '../http/transport.ts';
import type { CreatedWebhookListener, ListenerWebhook, NewWebhookListener, WebhookResult } from '../types.ts';

const PATH = '/api/v1/webhook-listeners';
const ONE = '/api/v1/webhook-listeners/{listener_id}';
const PAUSE_MS = 1_000;

export interface ListenersDeps {
  readonly api: Api;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Webhooks for a receiver that the service cannot reach, as on your own machine. Needs the scope `manage`. */
export class WebhookListenersResource {
  readonly #deps: ListenersDeps;

  constructor(deps: ListenersDeps) {
    this.#deps = deps;
  }

  /** The secret is in the answer, this once. The listener ends two minutes after its last stream. */
  create(body: NewWebhookListener = {}, options: RequestOptions = {}): Promise<CreatedWebhookListener> {
    return bodyOf(this.#deps.api.http.POST(PATH, { body, ...withSignal(options) }));
  }

  /**
   * The requests to forward, over as many connections as it takes. Report the result of each within 30 seconds, or it comes
   * again.
   *
   * @throws NotFoundError once the listener has ended
   */
  async *stream(listenerId: string, { signal }: RequestOptions = {}): AsyncGenerator<ListenerWebhook, void, undefined> {
    const { clock, random } = this.#deps;
    let awaySinceMs: number | null = null;
    for (;;) {
      try {
        const body = await this.#open(listenerId, signal);
        awaySinceMs = null;
        for await (const { event, data } of readEvents(body, clock, signal)) {
          if (event !== 'webhook') continue;
          const webhook: ListenerWebhook = JSON.parse(data);
          yield webhook;
        }
      } catch (error) {
        awaySinceMs ??= clock.nowMs();
        if (!isPassing(error) || clock.nowMs() - awaySinceMs > PATIENCE_MS) throw error;
      }
      await clock.sleep(PAUSE_MS * (0.5 + random() / 2), signal);
    }
  }

  /** What the receiver answered. Repeating it changes nothing. @throws NotFoundError once the listener has ended */
  async report(listenerId: string, result: WebhookResult, options: RequestOptions = {}): Promise<void> {
    const { http, transport } = this.#deps.api;
    const init = {
      params: paramsOf(listenerId),
      body: result,
      fetch: transport.sendRepeatable,
      ...withSignal(options),
    };
    await http.POST(`${ONE}/results`, init);
  }

  /** Ends its streams, and drops what waits for it. */
  async delete(listenerId: string, options: RequestOptions = {}): Promise<void> {
    await this.#deps.api.http.DELETE(ONE, { params: paramsOf(listenerId), ...withSignal(options) });
  }

  async #open(listenerId: string, signal: AbortSignal | undefined): Promise<ReadableStream<Uint8Array>> {
    const path = `${PATH}/${encodeURIComponent(listenerId)}/stream`;
    const { body, headers } = await this.#deps.api.open(path, { Accept: 'text/event-stream' }, signal);
    if (body !== null && headers.get('Content-Type')?.startsWith('text/event-stream') === true) return body;
    await body?.cancel();
    throw connectionFailed(new Error('the answer is no event stream'));
  }
}

function paramsOf(listenerId: string) {
  return { path: { listener_id: listenerId } };
}
