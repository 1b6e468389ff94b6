import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AccountId } from '@outdial/contracts';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';

/** One request, as a receiver saw it. */
export interface Received {
  readonly accountId: string;
  /** `webhook-id`. */
  readonly id: string;
  /** Whether a receiver with the library of Standard Webhooks accepts its signature. */
  readonly isSigned: boolean;
  /** Of the bytes of the body. */
  readonly digest: string;
  readonly type: string;
  /** 0 if the body does not name it. */
  readonly eventId: number;
  /** What it is about: a call, or a campaign. */
  readonly callId: string;
  /** Of the call in the body; empty for a campaign. */
  readonly callStatus: string;
  readonly atMs: number;
  /** With 204, while the sender listened. */
  isAnswered: boolean;
}

/** The programs of accounts that receive webhooks, each at its own URL. They keep a journal of all requests. */
export interface Receivers {
  /** Each account's own is one folder below. */
  readonly url: string;
  /** @param secret `whsec_…`: what its requests must be signed with. @returns its URL */
  open(accountId: AccountId, secret: string): string;
  /** From now on its requests get no answer, until `release`. */
  hold(accountId: AccountId): void;
  /** Answers what waits, and every request from now on. */
  release(accountId: AccountId): void;
  releaseAll(): void;
  /** Requests without an answer, whose sender still listens. */
  waiting(accountId: AccountId): number;
  /** In the order of their arrival; of one account, or of all. */
  received(accountId?: AccountId): readonly Received[];
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const callBodySchema = z
  .object({
    type: z.string(),
    data: z.object({
      event: z.object({ id: z.string().regex(/^\d+$/).transform(Number) }),
      call: z.object({ id: z.string(), status: z.string() }),
    }),
  })
  .transform(({ type, data: { event, call } }) => ({
    type,
    eventId: event.id,
    callId: call.id,
    callStatus: call.status,
  }));
const campaignBodySchema = z
  .object({ type: z.string(), data: z.object({ campaign: z.object({ id: z.string() }) }) })
  .transform(({ type, data: { campaign } }) => ({ type, eventId: 0, callId: campaign.id, callStatus: '' }));
const bodySchema = z.union([callBodySchema, campaignBodySchema]);
const UNREADABLE = { type: 'unreadable', eventId: 0, callId: '', callStatus: '' } as const;

export async function openReceivers(): Promise<Receivers> {
  const secrets = new Map<string, string>();
  const held = new Map<string, Set<() => void>>();
  const journal: Received[] = [];

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const accountId = request.url?.slice(1) ?? '';
    const body = await text(request);
    const received = read(body, request, { accountId, secret: secrets.get(accountId) });
    journal.push(received);
    const answer = () => {
      if (response.destroyed) return;
      received.isAnswered = true;
      response.writeHead(204).end();
    };
    const waiting = held.get(accountId);
    if (!waiting) return answer();
    waiting.add(answer);
    response.once('close', () => waiting.delete(answer));
  }

  const server = createServer((request, response) => {
    // A sender that is killed leaves half a request.
    receive(request, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 0;
  server.listen(0, HOST);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;

  function release(accountId: string): void {
    const waiting = held.get(accountId) ?? [];
    held.delete(accountId);
    for (const answer of waiting) answer();
  }

  const url = `http://${HOST}:${port}`;
  return {
    url,
    open(accountId, secret) {
      secrets.set(accountId, secret);
      return `${url}/${accountId}`;
    },
    hold: (accountId) => void (held.has(accountId) || held.set(accountId, new Set())),
    release,
    releaseAll: () => [...held.keys()].forEach(release),
    waiting: (accountId) => held.get(accountId)?.size ?? 0,
    received: (accountId) => (accountId ? journal.filter((each) => each.accountId === accountId) : journal),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Addressee {
  readonly accountId: string;
  readonly secret: string | undefined;
}

/** What is no webhook about a call or a campaign stands in the journal too, without its event. */
function read(body: string, { headers }: IncomingMessage, { accountId, secret }: Addressee): Received {
  const header = (name: string) => String(headers[name] ?? '');
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')];
  const { data: about } = bodySchema.safeParse(parsed(body));
  return {
    accountId,
    id,
    // Not the library's `verify`: it compares the timestamp with the time of day, which a fault sets wrong.
    isSigned:
      secret !== undefined &&
      header('webhook-signature')
        .split(' ')
        .includes(new Webhook(secret).sign(id, dateOf(timestamp), body)),
    digest: createHash('sha256').update(body).digest('base64'),
    ...(about ?? UNREADABLE),
    atMs: Date.now(),
    isAnswered: false,
  };
}

const MS_PER_SECOND = 1_000;
const dateOf = (timestamp: string) => new Date(/^\d{1,12}$/.test(timestamp) ? Number(timestamp) * MS_PER_SECOND : 0);

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
