import type { HttpToolSettings } from '@outdial/contracts';
import { EgressError, type EgressClient, type EgressRequest } from '@outdial/egress';
import type { ToolOutcome, ToolRun, ToolRunner } from './tool-runner.ts';

/** What a model reads of an answer. */
const MAX_RESPONSE_BYTES = 16 * 1_024;
const SECRET = /\{\{\s*secret\.([A-Za-z0-9_-]{1,64})\s*\}\}/g;
/** The server, or what stands before it, is away for a moment. */
const RETRIED_STATUS: ReadonlySet<number> = new Set([502, 503, 504]);
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'PUT', 'DELETE']);

/** Runs HTTP tools through the guarded way out. Any status is a result that the model reads; so is a failure. */
export function createHttpToolRunner(egress: Pick<EgressClient, 'request'>): ToolRunner {
  return {
    async run(run) {
      const request = requestOf(run);
      if (request === null) return failed('a secret that this tool needs does not exist');
      const first = await send(egress, request);
      return isRetried(first, run.tool) ? outcomeOf(await send(egress, request), run) : outcomeOf(first, run);
    },
  };
}

type Answer =
  | { readonly kind: 'response'; readonly status: number; readonly text: string; readonly truncated: boolean }
  | { readonly kind: 'error'; readonly error: EgressError };

async function send(egress: Pick<EgressClient, 'request'>, request: EgressRequest): Promise<Answer> {
  try {
    const { status, body, truncated } = await egress.request(request);
    return { kind: 'response', status, text: body.toString('utf8'), truncated };
  } catch (error) {
    if (error instanceof EgressError) return { kind: 'error', error };
    throw error;
  }
}

/** Null: a secret is missing. */
function requestOf({ callId, toolCallId, tool, arguments: given, secrets, signal }: ToolRun): EgressRequest | null {
  const headers: Record<string, string> = { 'idempotency-key': `${callId}/${toolCallId}` };
  let isMissing = false;
  for (const [name, value] of Object.entries(tool.headers)) {
    headers[name.toLowerCase()] = value.replaceAll(SECRET, (_, secret: string) => {
      const found = secrets.get(secret);
      isMissing ||= found === undefined;
      return found ?? '';
    });
  }
  if (isMissing) return null;
  const hasBody = tool.send === 'body' && tool.method !== 'GET';
  if (hasBody) headers['content-type'] ??= 'application/json';
  return {
    scope: 'allow_list',
    method: tool.method,
    url: hasBody ? tool.url : withQuery(tool.url, given),
    headers,
    ...(hasBody ? { body: JSON.stringify(given) } : {}),
    timeoutMs: tool.timeout_ms,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    signal,
  };
}

function withQuery(address: string, values: Readonly<Record<string, unknown>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(values)) {
    url.searchParams.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return url.href;
}

function isRetried(answer: Answer, { method, idempotent }: HttpToolSettings): boolean {
  if (answer.kind === 'error') return answer.error.code === 'connect_failed';
  return RETRIED_STATUS.has(answer.status) && (idempotent || REPEATABLE.has(method));
}

function outcomeOf(answer: Answer, { secrets }: ToolRun): ToolOutcome {
  if (answer.kind === 'error') return failed(`the request failed: ${answer.error.message}`);
  const text = withoutSecrets(answer, [...secrets.values()]);
  const cut = answer.truncated ? ' (cut)' : '';
  return { kind: 'ok', output: `HTTP ${answer.status}${cut}\n${text}` };
}

/** A server may send back what it was sent: whole, or where its answer was cut, the beginning of it. */
function withoutSecrets(
  { text, truncated }: Extract<Answer, { kind: 'response' }>,
  secrets: readonly string[],
): string {
  // One may contain another: the rest of the longer one is as secret.
  const longestFirst = secrets.filter((secret) => secret !== '').toSorted((one, other) => other.length - one.length);
  const shown = longestFirst.reduce((left, secret) => left.replaceAll(secret, '[secret]'), text);
  return truncated ? shown.slice(0, shown.length - cutLength(shown, longestFirst)) : shown;
}

/** Of how many characters at its end the text may have the beginning of a secret. */
function cutLength(text: string, secrets: readonly string[]): number {
  const lengths = secrets.map((secret) => {
    let length = Math.min(secret.length - 1, text.length);
    while (length > 0 && !text.endsWith(secret.slice(0, length))) length -= 1;
    return length;
  });
  return Math.max(0, ...lengths);
}

const failed = (output: string): ToolOutcome => ({ kind: 'failed', output });
