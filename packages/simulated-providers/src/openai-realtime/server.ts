import type { Server } from 'node:http';
import type { Clock } from '@outdial/kernel';
import { faultOf } from '../faults.ts';
import { serveEndpoints, type Address, type ServedEndpoints, type SocketEndpoint } from '../http/endpoints.ts';
import { isSimulatedKey, quotedKey, type Refusal } from '../http/refusal.ts';
import type { Script } from '../script.ts';
import type { Ears } from '../speech/ears.ts';
import type { SpeakText } from '../voice.ts';
import { FaultyEvents } from './faulty-events.ts';
import { RealtimeSession, type Ledger, type RealtimeTimings } from './session.ts';

export interface RealtimeServerInput {
  readonly clock: Clock;
  readonly ears: Ears;
  readonly speak: SpeakText;
  readonly script: Script;
  readonly timings: RealtimeTimings;
  readonly ledger: Ledger;
}

export type RealtimeServer = ServedEndpoints;

/** An error of OpenAI's HTTP API. */
export function openAiRefusal(status: number, code: string, message: string): Refusal {
  const type = status >= 500 ? 'server_error' : 'invalid_request_error';
  const body = { error: { message, type, param: null, code } };
  return { status, body, ...(status === 429 ? { retryAfterSeconds: 1 } : {}) };
}

export function openAiAccess({ headers }: Address, model: string | null): Refusal | null {
  const key = (headers.authorization ?? '').replace(/^Bearer /, '');
  const fault = model === null ? null : faultOf(model);
  const status = fault?.kind === 'status' ? fault.status : null;
  if (!isSimulatedKey(key) || status === 401) {
    return openAiRefusal(401, 'invalid_api_key', `Incorrect API key provided: ${quotedKey(key)}.`);
  }
  if (status === 429) return openAiRefusal(429, 'rate_limit_exceeded', 'Rate limit reached.');
  if (status === 503) return openAiRefusal(503, 'server_error', 'The server is overloaded.');
  return null;
}

/** OpenAI's Realtime API: `/v1/realtime`. */
export function realtimeEndpoint(input: RealtimeServerInput): SocketEndpoint {
  let sessions = 0;
  return {
    path: /^\/v1\/realtime$/,
    open(address) {
      const model = address.url.searchParams.get('model') ?? '';
      const refusal = openAiAccess(address, model);
      if (refusal !== null) return { refusal };
      return {
        serve(client) {
          const fault = faultOf(model);
          const events = new FaultyEvents(client, fault);
          const script = fault?.kind === 'empty' ? { opening: {}, rules: [], otherwise: {} } : input.script;
          sessions += 1;
          const name = String(sessions);
          const session = new RealtimeSession({ ...input, name, script, model, send: (event) => events.send(event) });
          client.on('message', (data, isBinary) => {
            if (isBinary) client.close(1_003, 'binary messages are not supported');
            else if (Buffer.isBuffer(data)) session.receive(data.toString('utf8'));
          });
          client.on('close', () => session.close());
        },
      };
    },
  };
}

/** Serves the Realtime API alone. */
export function serveRealtime(server: Server, input: RealtimeServerInput): RealtimeServer {
  return serveEndpoints(server, { sockets: [realtimeEndpoint(input)], requests: [] });
}
