import type { WebSocket } from 'ws';
import type { Timer } from '@outdial/kernel';
import { faultOf, type Fault } from '../faults.ts';
import type { SocketEndpoint } from '../http/endpoints.ts';
import { openAiAccess } from '../openai-realtime/dialects/openai.ts';
import type { RealtimeServerInput } from '../realtime-input.ts';
import { inputUnder } from '../realtime-fault.ts';
import { clientEventSchema, type ClientEvent, type LiveSettings } from './client-events.ts';
import { FaultyMessages } from './faulty-messages.ts';
import type { LiveError, ServerMessage, SessionSnapshot } from './server-events.ts';
import { LiveSession } from './session.ts';

const NORMAL = 1_000;
const UNSUPPORTED = 1_003;
const SESSION_SECONDS = 3_600;
/** With the fault `go-away`. */
const SHORT_SESSION_SECONDS = 10;
const USAGE_EVERY_MS = 15_000;

/** `/v1/live/sessions`: GPT-Live over a primary WebSocket. The model is named in the session. */
export function gptLiveEndpoint(input: RealtimeServerInput): SocketEndpoint {
  let sessions = 0;
  return {
    path: /^\/v1\/live\/sessions$/,
    open(address) {
      const refusal = openAiAccess(address, null);
      if (refusal !== null) return { refusal };
      return {
        serve(client) {
          sessions += 1;
          const served = new ServedSession(client, input, `live_${sessions}`);
          client.on('message', (data, isBinary) => {
            if (isBinary) client.close(UNSUPPORTED, 'binary messages are not supported');
            else if (Buffer.isBuffer(data)) served.receive(data.toString('utf8'));
          });
          client.on('close', () => served.ended());
        },
      };
    },
  };
}

/** A connection: its session begins with its first message. */
class ServedSession {
  readonly #client: WebSocket;
  readonly #input: RealtimeServerInput;
  readonly #name: string;
  #messages: FaultyMessages;
  #session: LiveSession | null = null;
  #snapshot: SessionSnapshot | null = null;
  #startedMs = 0;
  #billedSeconds = 0;
  #timers: Timer[] = [];

  constructor(client: WebSocket, input: RealtimeServerInput, name: string) {
    this.#client = client;
    this.#input = input;
    this.#name = name;
    this.#messages = new FaultyMessages(client, null);
  }

  receive(text: string): void {
    const event = this.#eventOf(text);
    if (event === null) return;
    if (this.#session !== null) return this.#session.receive(event);
    if (event.type !== 'session.start') {
      return this.#error({ code: 'session_not_started', message: 'Send session.start first.' });
    }
    const { model } = event.session;
    const fault = faultOf(model);
    const refusal = startRefusal(model, fault);
    if (refusal === null) return this.#start(event.session, fault);
    this.#messages.send({ type: 'error', error: refusal });
    this.#client.close(NORMAL);
  }

  ended(): void {
    for (const timer of this.#timers) timer.cancel();
    this.#session?.close();
    if (this.#snapshot !== null) this.#bill();
  }

  #start(settings: LiveSettings, fault: Fault | null): void {
    const { clock } = this.#input;
    this.#startedMs = clock.monotonicMs();
    this.#messages = new FaultyMessages(this.#client, fault);
    const lastsSeconds = fault?.kind === 'go-away' ? SHORT_SESSION_SECONDS : SESSION_SECONDS;
    const expiresAt = Math.floor(clock.nowMs() / 1_000) + lastsSeconds;
    const snapshot = { id: this.#name, model: settings.model, status: 'active', expires_at: expiresAt } as const;
    this.#snapshot = snapshot;
    this.#timers.push(clock.after(lastsSeconds * 1_000, () => this.#close('expired')));
    this.#reportUsage();
    this.#messages.send({ type: 'session.started', session: snapshot });
    const send = (message: ServerMessage) => this.#messages.send(message);
    this.#session = new LiveSession(settings, {
      ...inputUnder(fault, this.#input),
      name: this.#name,
      send,
      close: (reason) => this.#close(reason),
    });
  }

  #reportUsage(): void {
    const timer = this.#input.clock.after(USAGE_EVERY_MS, () => {
      this.#messages.send({ type: 'session.usage.updated', usage: { seconds: this.#bill() } });
      this.#reportUsage();
    });
    this.#timers.push(timer);
  }

  /** The seconds of the session, all of which are billed. */
  #bill(): number {
    const seconds = Math.ceil((this.#input.clock.monotonicMs() - this.#startedMs) / 1_000);
    const quantity = seconds - this.#billedSeconds;
    this.#billedSeconds = seconds;
    this.#input.ledger.add({ component: 'realtime', provider: 'openai_live', unit: 'second', quantity });
    return seconds;
  }

  #close(reason: 'close_requested' | 'expired'): void {
    const session = this.#snapshot;
    if (session === null) return;
    this.#session?.close();
    this.#messages.send({ type: 'session.closed', reason, session, usage: { seconds: this.#bill() } });
    this.#snapshot = null;
    this.#client.close(NORMAL);
  }

  #eventOf(text: string): ClientEvent | null {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.#error({ code: 'invalid_json', message: 'Could not parse the message as JSON.' });
      return null;
    }
    const parsed = clientEventSchema.safeParse(value);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const param = issue?.path.join('.') ?? '';
    const code = issue?.code === 'unrecognized_keys' ? 'unknown_parameter' : 'invalid_value';
    this.#error({ code, message: `Invalid value: '${param}'. ${issue?.message ?? ''}`, param });
    return null;
  }

  #error(error: Omit<LiveError, 'type'>): void {
    this.#messages.send({ type: 'error', error: { type: 'invalid_request_error', ...error } });
  }
}

function startRefusal(model: string, fault: Fault | null): LiveError | null {
  if (fault === null && model.startsWith('gpt-live-')) return null;
  if (fault === null || (fault.kind === 'status' && fault.status === 401)) {
    const message = `The model ${model} does not exist, or you do not have access to it.`;
    return { type: 'invalid_request_error', code: 'model_not_found', message, param: 'session.model' };
  }
  if (fault.kind !== 'status') return null;
  return fault.status === 429
    ? { type: 'requests', code: 'rate_limit_exceeded', message: 'Rate limit reached.' }
    : { type: 'server_error', code: 'server_error', message: 'The server is overloaded.' };
}
