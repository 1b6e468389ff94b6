import type { WebSocket } from 'ws';
import { faultOf } from '../faults.ts';
import { googleRefusal } from '../google/access.ts';
import type { SocketEndpoint } from '../http/endpoints.ts';
import { isSimulatedKey } from '../http/refusal.ts';
import type { RealtimeServerInput } from '../realtime-input.ts';
import { clientMessageSchema, type ClientMessage } from './client-messages.ts';
import { FaultyMessages } from './faulty-messages.ts';
import { inputUnder } from '../realtime-fault.ts';
import type { ServerMessage } from './server-message.ts';
import { LiveSession } from './session.ts';

const INVALID = 1_007;
const POLICY = 1_008;
const INTERNAL_ERROR = 1_011;
/** RFC 6455 section 5.5: a reason has at most 123 bytes. */
const MAX_REASON = 123;

/** The Live API of Google: refusals are closes, whose reason says why. */
export function liveEndpoint(input: RealtimeServerInput): SocketEndpoint {
  let sessions = 0;
  return {
    path: /^\/ws\/google\.ai\.generativelanguage\.v1beta\.GenerativeService\.BidiGenerateContent$/,
    open({ headers, url }) {
      const key = headers['x-goog-api-key'] ?? url.searchParams.get('key');
      if (typeof key !== 'string') return { refusal: googleRefusal(403, "Method doesn't allow unregistered callers.") };
      return {
        serve(client) {
          if (!isSimulatedKey(key)) return close(client, INVALID, 'API key not valid. Please pass a valid API key.');
          sessions += 1;
          serveClient(client, input, String(sessions));
        },
      };
    },
  };
}

function serveClient(client: WebSocket, input: RealtimeServerInput, name: string): void {
  let session: LiveSession | null = null;
  const refuse = (reason: string) => close(client, INVALID, reason);
  client.on('message', (data) => {
    if (!Buffer.isBuffer(data)) return;
    const message = messageOf(data.toString('utf8'));
    if (typeof message === 'string') return refuse(message);
    if (session !== null) return session.receive(message);
    if (!('setup' in message)) return refuse('setup must be the first message and may be sent only once.');
    const model = message.setup.model.slice('models/'.length);
    const refusal = modelRefusal(model);
    if (refusal !== null) return close(client, refusal.code, refusal.reason);
    const fault = faultOf(model);
    const messages = new FaultyMessages(client, fault, input.clock);
    const send = (sent: ServerMessage) => messages.send(sent);
    session = new LiveSession(message.setup, { ...inputUnder(fault, input), name, send, refuse });
  });
  client.on('close', () => session?.close());
}

/** A text: why it is refused. */
function messageOf(text: string): ClientMessage | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'Request contains invalid JSON.';
  }
  const parsed = clientMessageSchema.safeParse(value);
  return parsed.success ? parsed.data : `Invalid JSON payload received. ${problemOf(parsed.error.issues)}`;
}

interface Issue {
  readonly code: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly errors?: readonly (readonly Issue[])[];
}

/** Of a union, the problem of the member that the client meant: the one whose problem is deepest. */
function problemOf(issues: readonly Issue[]): string {
  const [issue] = issues;
  if (issue?.errors === undefined) return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`;
  const deepest = issue.errors.toSorted((one, other) => depthOf(other) - depthOf(one))[0] ?? [];
  return problemOf(deepest);
}

const depthOf = ([issue]: readonly Issue[]): number => issue?.path.length ?? 0;

interface Refused {
  readonly code: number;
  readonly reason: string;
}

function modelRefusal(model: string): Refused | null {
  const fault = faultOf(model);
  if (fault === null && /^gemini-.*live/.test(model)) return null;
  if (fault === null) {
    return { code: POLICY, reason: `models/${model} is not found for API version v1beta, or is not supported.` };
  }
  if (fault.kind !== 'status') return null;
  if (fault.status === 401) return { code: POLICY, reason: 'The request has invalid authentication credentials.' };
  if (fault.status === 429)
    return { code: INTERNAL_ERROR, reason: 'You exceeded your current quota, please check your plan.' };
  return { code: INTERNAL_ERROR, reason: 'The service is currently unavailable.' };
}

function close(client: WebSocket, code: number, reason: string): void {
  client.close(code, Buffer.from(reason).subarray(0, MAX_REASON).toString('utf8'));
}
