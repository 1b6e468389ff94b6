import type { Clock } from '../clock.ts';
import { readEvents } from '../calls/read-events.ts';
import { bodyOf, withSignal, type Api, type RequestOptions } from '../http/api.ts';
import type { NewTry, Try } from '../types.ts';

const PATH = '/api/v1/agents/{agent_id}/try';
const ONE = '/api/v1/agents/{agent_id}/try/{try_id}';

/** What an agent does in a try: `agent_text`, `tool_called`, `act`, `usage`, `ended`, and what later servers add. */
export type TryEvent = Readonly<Record<string, unknown>> & { readonly type: string };

/** Conversations with an agent as text. Needs the scope `manage`. */
export class TriesResource {
  readonly #api: Api;
  readonly #clock: Clock;

  constructor(api: Api, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
  }

  async create(agentId: string, body: NewTry = {}, options: RequestOptions = {}): Promise<Try> {
    const params = { path: { agent_id: agentId } };
    return (await bodyOf(this.#api.http.POST(PATH, { params, body, ...withSignal(options) }))).try;
  }

  async get(of: Try, options: RequestOptions = {}): Promise<Try> {
    return (await bodyOf(this.#api.http.GET(ONE, { params: paramsOf(of), ...withSignal(options) }))).try;
  }

  /** Says a text as the callee. */
  async say(of: Try, text: string, options: RequestOptions = {}): Promise<Try> {
    const init = { params: paramsOf(of), body: { text }, ...withSignal(options) };
    return (await bodyOf(this.#api.http.POST(`${ONE}/messages`, init))).try;
  }

  async end(of: Try, options: RequestOptions = {}): Promise<Try> {
    const init = { params: paramsOf(of), fetch: this.#api.transport.sendRepeatable, ...withSignal(options) };
    return (await bodyOf(this.#api.http.POST(`${ONE}/end`, init))).try;
  }

  /** Its events over one connection, from the beginning. */
  async *events({ agent_id: agentId, id }: Try, { signal }: RequestOptions = {}): AsyncGenerator<TryEvent, void> {
    const path = `/api/v1/agents/${encodeURIComponent(agentId)}/try/${encodeURIComponent(id)}/events`;
    const { body } = await this.#api.open(path, { Accept: 'text/event-stream' }, signal);
    if (body === null) return;
    for await (const { data } of readEvents(body, this.#clock, signal)) {
      const event: TryEvent = JSON.parse(data);
      yield event;
    }
  }
}

function paramsOf({ agent_id: agentId, id }: Try) {
  return { path: { agent_id: agentId, try_id: id } };
}
