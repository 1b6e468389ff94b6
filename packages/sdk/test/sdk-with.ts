import { systemClock, type Clock } from '../src/clock.ts';
import { Outdial } from '../src/outdial.ts';

/** What a server does with one request. */
export type Answering = (request: Request, attempt: number) => Response | Promise<Response>;

export interface Scripted {
  readonly outdial: Outdial;
  readonly requests: readonly Request[];
  /** The pauses between attempts, in milliseconds. */
  readonly pauses: readonly number[];
}

/** A client whose server is a function, and whose pauses take no time. `passedMs`: the time that passes besides the pauses. */
export function sdkWith(
  answer: Answering,
  options: { readonly random?: number; readonly passedMs?: () => number } = {},
): Scripted {
  const requests: Request[] = [];
  const pauses: number[] = [];
  let nowMs = Date.parse('2026-12-04T10:00:00.000Z');
  const clock: Clock = {
    nowMs: () => nowMs + (options.passedMs?.() ?? 0),
    async sleep(ms, signal) {
      // Limits of requests and of silence are never reached here.
      if (ms === LIMIT_MS || ms === UPLOAD_LIMIT_MS || ms === SILENCE_MS) return new Promise(() => undefined);
      if (signal?.aborted === true) return systemClock.sleep(0, signal);
      pauses.push(ms);
      nowMs += ms;
    },
  };
  const outdial = new Outdial({
    apiKey: 'od_live_test',
    baseUrl: 'https://outdial.test/',
    clock,
    random: () => options.random ?? 0.5,
    fetch: async (request) => {
      requests.push(request);
      return answer(request, requests.length);
    },
  });
  return { outdial, requests, pauses };
}

const LIMIT_MS = 10_000;
const UPLOAD_LIMIT_MS = 1_800_000;
const SILENCE_MS = 45_000;

export const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } });

export const refusal = (
  status: number,
  code: string,
  more: {
    readonly details?: unknown;
    readonly param?: string;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
) => {
  const { headers = {}, ...rest } = more;
  return json(status, { error: { code, message: `It is ${code}.`, request_id: 'r-1', ...rest } }, headers);
};

export function sentEvent(event: { readonly id: string; readonly type: string }): string {
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** A body of server-sent events. `cut`: the connection breaks after them. */
export function stream(events: readonly { readonly id: string; readonly type: string }[], cut = false): Response {
  const text = events.map(sentEvent);
  const chunks = [new TextEncoder().encode(`retry: 2000\n\n${text.join('')}`)];
  const body = new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk !== undefined) controller.enqueue(chunk);
      else if (cut) controller.error(new TypeError('terminated'));
      else controller.close();
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
}
