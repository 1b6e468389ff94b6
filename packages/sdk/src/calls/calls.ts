import type { Clock } from '../clock.ts';
import { OutdialError } from '../errors.ts';
import { bodyOf, download, withSignal, type Api, type RequestOptions } from '../http/api.ts';
import { pageOf, Pages } from '../pages.ts';
import type {
  CallChange,
  CallData,
  CallEvent,
  CallFilter,
  Instruction,
  NewCall,
  OptOut,
  Suppression,
} from '../types.ts';
import { toCall, type Call } from './call.ts';
import { followTimeline, type FollowOptions } from './timeline.ts';
import { waitForEnd, type WaitOptions } from './wait-for-end.ts';

const PATH = '/api/v1/outbound/calls';
const ONE = '/api/v1/outbound/calls/{call_id}';

export interface CreateOptions extends RequestOptions {
  /** Names the call: the same key and body give the same call. Default: a new key for each `create`. */
  readonly idempotencyKey?: string | undefined;
}

export interface CallsDeps {
  readonly api: Api;
  readonly clock: Clock;
  readonly random: () => number;
}

export class CallsResource {
  readonly #deps: CallsDeps;

  constructor(deps: CallsDeps) {
    this.#deps = deps;
  }

  /**
   * Places a call. It is repeated under one key, so it never gives two calls. If its outcome stays unknown, the error has
   * the key: place the call again with it.
   */
  async create(body: NewCall, options: CreateOptions = {}): Promise<Call> {
    const key = options.idempotencyKey ?? crypto.randomUUID();
    const params = { header: { 'Idempotency-Key': key } };
    const { http } = this.#deps.api;
    try {
      return await this.#callIn(bodyOf(http.POST(PATH, { params, body, ...withSignal(options) })));
    } catch (error) {
      if (error instanceof OutdialError) error.idempotencyKey = key;
      throw error;
    }
  }

  async get(callId: string, options: RequestOptions = {}): Promise<Call> {
    return toCall(this, await this.#read(callId, options));
  }

  /** Newest first. */
  list(filter: CallFilter = {}, options: RequestOptions = {}): Pages<Call> {
    const { cursor: first, ...rest } = filter;
    return new Pages(async (cursor) => {
      const query = cursor === undefined ? rest : { ...rest, cursor };
      const page = await bodyOf(this.#deps.api.http.GET(PATH, { params: { query }, ...withSignal(options) }));
      return pageOf(
        page.calls.map((call) => toCall(this, call)),
        page,
      );
    }, first);
  }

  async end(callId: string, options: RequestOptions = {}): Promise<Call> {
    const { http, transport } = this.#deps.api;
    const params = { path: { call_id: callId } };
    const fetch = transport.sendRepeatable;
    return this.#callIn(bodyOf(http.POST(`${ONE}/end`, { params, fetch, ...withSignal(options) })));
  }

  /** Repeating it changes nothing either. */
  async update(callId: string, body: CallChange, options: RequestOptions = {}): Promise<Call> {
    const { http, transport } = this.#deps.api;
    const params = { path: { call_id: callId } };
    const fetch = transport.sendRepeatable;
    return this.#callIn(bodyOf(http.PATCH(ONE, { params, body, fetch, ...withSignal(options) })));
  }

  /** The callee asked for no more calls. A call that rings or talks goes on. Repeating it changes nothing. */
  async optOut(callId: string, body: OptOut = {}, options: RequestOptions = {}): Promise<Suppression> {
    const { http, transport } = this.#deps.api;
    const params = { path: { call_id: callId } };
    const fetch = transport.sendRepeatable;
    return (await bodyOf(http.POST(`${ONE}/opt-out`, { params, body, fetch, ...withSignal(options) }))).suppression;
  }

  /**
   * Whispers to the model that conducts a live call. Resolves once the model has it; repeating it instructs the model again.
   * @throws ConflictError `call_not_live`, `instruction_not_possible`
   */
  async instruct(callId: string, text: string, options: RequestOptions = {}): Promise<Instruction> {
    const params = { path: { call_id: callId } };
    const { http } = this.#deps.api;
    const answer = await bodyOf(http.POST(`${ONE}/instructions`, { params, body: { text }, ...withSignal(options) }));
    return answer.instruction;
  }

  events(callId: string, options: FollowOptions = {}): AsyncGenerator<CallEvent, void, undefined> {
    return followTimeline(this.#deps, callId, options);
  }

  /** The timeline so far. */
  async listEvents(callId: string, options: RequestOptions = {}): Promise<readonly CallEvent[]> {
    const params = { path: { call_id: callId } };
    const answer = this.#deps.api.http.GET(`${ONE}/events`, { params, headers: ACCEPTS_JSON, ...withSignal(options) });
    const body = await bodyOf(answer);
    // Of the document's two kinds of answer, JSON was asked for.
    return typeof body === 'string' ? [] : body.events;
  }

  async wait(callId: string, options: WaitOptions = {}): Promise<Call> {
    const read = (id: string, by: RequestOptions) => this.#read(id, by);
    return toCall(this, await waitForEnd({ ...this.#deps, read }, callId, options));
  }

  recording(callId: string, options: RequestOptions = {}): Promise<ReadableStream<Uint8Array>> {
    return download(this.#deps.api, `/api/v1/calls/${encodeURIComponent(callId)}/recording`, 'audio/wav', options);
  }

  async #read(callId: string, options: RequestOptions): Promise<CallData> {
    const params = { path: { call_id: callId } };
    const { call } = await bodyOf(this.#deps.api.http.GET(ONE, { params, ...withSignal(options) }));
    return call;
  }

  async #callIn(body: Promise<{ readonly call: CallData }>): Promise<Call> {
    return toCall(this, (await body).call);
  }
}

const ACCEPTS_JSON = { Accept: 'application/json' } as const;
