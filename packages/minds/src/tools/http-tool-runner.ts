import type { HttpToolSettings } from '@outdial/contracts';
import { EgressError, type EgressClient, type EgressRequest } from '@outdial/egress';
import { cutWithoutSecrets, filledHeaders, withoutSecrets } from '@outdial/tool-sources';
import { MAX_OUTPUT_BYTES, MISSING_SECRET, type ToolOutcome, type ToolRun, type ToolRunner } from './tool-runner.ts';

/** The server, or what stands before it, is away for a moment. */
const RETRIED_STATUS: ReadonlySet<number> = new Set([502, 503, 504]);
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'PUT', 'DELETE']);

/** Runs HTTP tools through the guarded way out. Any status is a result that the model reads; so is a failure. */
export function createHttpToolRunner(egress: Pick<EgressClient, 'request'>): ToolRunner<HttpToolSettings> {
  return {
    async run(run) {
      const request = requestOf(run);
      if (request === null) return MISSING_SECRET;
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
function requestOf({
  callId,
  toolCallId,
  tool,
  arguments: given,
  secrets,
  signal,
}: ToolRun<HttpToolSettings>): EgressRequest | null {
  const filled = filledHeaders(tool.headers, secrets);
  if (filled === null) return null;
  const headers: Record<string, string> = { 'idempotency-key': `${callId}/${toolCallId}`, ...filled };
  const hasBody = tool.send === 'body' && tool.method !== 'GET';
  if (hasBody) headers['content-type'] ??= 'application/json';
  return {
    scope: 'allow_list',
    method: tool.method,
    url: hasBody ? tool.url : withQuery(tool.url, given),
    headers,
    ...(hasBody ? { body: JSON.stringify(given) } : {}),
    timeoutMs: tool.timeout_ms,
    maxResponseBytes: MAX_OUTPUT_BYTES,
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

function outcomeOf(answer: Answer, { secrets }: Pick<ToolRun, 'secrets'>): ToolOutcome {
  if (answer.kind === 'error') return failed(`the request failed: ${answer.error.message}`);
  const values = [...secrets.values()];
  const text = answer.truncated ? cutWithoutSecrets(answer.text, values) : withoutSecrets(answer.text, values);
  const cut = answer.truncated ? ' (cut)' : '';
  return { kind: 'ok', output: `HTTP ${answer.status}${cut}\n${text}` };
}

const failed = (output: string): ToolOutcome => ({ kind: 'failed', output });
