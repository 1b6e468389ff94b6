/**
 * Receives webhooks, and keeps each message once, as one line of JSON in a file.
 *
 *     OUTDIAL_WEBHOOK_SECRET=whsec_… npx tsx receive-webhooks.ts webhooks.jsonl 3001
 *
 * The secret is the one that the creation of the endpoint has returned.
 */
import { once } from 'node:events';
import { appendFile, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { webhooks, WebhookVerificationError, type WebhookEvent } from '@outdial/sdk';

/** No webhook is larger than 256 KiB. */
const MAX_BODY_BYTES = 262_144;

const [path, port] = process.argv.slice(2);
const secret = process.env['OUTDIAL_WEBHOOK_SECRET'];
if (path === undefined || port === undefined || secret === undefined) {
  process.stderr.write('Usage: OUTDIAL_WEBHOOK_SECRET=… receive-webhooks <file> <port>\n');
  process.exit(2);
}
const own = { path, secret };
/** The messages that the file has, or will have in a moment: one may arrive twice, even at the same time. */
const kept = new Map((await idsIn(path)).map((id) => [id, Promise.resolve()]));

const server = createServer((request, response) => {
  void receive(request)
    .catch(failed)
    .then((status) => response.writeHead(status).end());
});
server.listen(Number(port), '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`Listening on http://127.0.0.1:${port}\n`);

/** Anything but 2xx is sent again later: a full disk loses no message. */
function failed(error: unknown): number {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 500;
}

/** The status to answer with. */
async function receive(request: IncomingMessage): Promise<number> {
  const body = await bodyOf(request);
  if (body === null) return 413;
  try {
    const event = webhooks.verify(body, request.headers, own.secret);
    await keep(String(request.headers['webhook-id']), event);
    return 204;
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return 401;
  }
}

/** Resolves when the message is in the file. */
async function keep(id: string, event: WebhookEvent): Promise<void> {
  const keeping = kept.get(id) ?? appendFile(own.path, `${JSON.stringify({ id, event })}\n`);
  kept.set(id, keeping);
  try {
    await keeping;
  } catch (error) {
    kept.delete(id);
    throw error;
  }
}

/** The bytes as they arrived: they are what was signed. Null: they are too many. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(part);
  }
  return bytes <= MAX_BODY_BYTES ? Buffer.concat(chunks) : null;
}

async function idsIn(file: string): Promise<readonly string[]> {
  const text = await readFile(file, { encoding: 'utf8', flag: 'a+' });
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => String(JSON.parse(line).id));
}
