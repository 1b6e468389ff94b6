/**
 * Receives webhooks with Express, and keeps each message once, as one file of a folder.
 *
 *     OUTDIAL_WEBHOOK_SECRET=whsec_… npx tsx receive-with-express.ts webhooks/ 3001
 *
 * The secret is the one that the creation of the endpoint has returned, or the one that `outdial listen` prints.
 */
import { randomUUID } from 'node:crypto';
import { link, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { webhooks, WebhookVerificationError } from '@outdial/sdk';
import express, { type ErrorRequestHandler } from 'express';

const [folder, port] = process.argv.slice(2);
const secret = process.env['OUTDIAL_WEBHOOK_SECRET'];
if (folder === undefined || port === undefined || secret === undefined) {
  process.stderr.write('Usage: OUTDIAL_WEBHOOK_SECRET=… receive-with-express <folder> <port>\n');
  process.exit(2);
}
const own = { folder, secret };
await mkdir(folder, { recursive: true });

const app = express();
// The bytes as they arrived: `express.json()` would keep only what they mean, and they are what was signed.
const bytes = express.raw({ type: () => true, limit: '256kb' });
app.post('/hooks', bytes, async (request, response) => {
  const body: unknown = request.body;
  const event = webhooks.verify(Buffer.isBuffer(body) ? body : '', request.headers, own.secret);
  await keep(String(request.headers['webhook-id']), JSON.stringify(event));
  // After it is kept: a 2xx says that it will not be sent again.
  response.sendStatus(204);
});
const failed: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  response.sendStatus(statusOf(error));
};
app.use(failed);
app.listen(Number(port), '127.0.0.1', () => {
  process.stdout.write(`Listening on http://127.0.0.1:${port}/hooks\n`);
});

/** A message that is there already stays as it is. A crash leaves no half of a file under its name. */
async function keep(id: string, text: string): Promise<void> {
  const part = join(own.folder, `${randomUUID()}.part`);
  try {
    await writeFile(part, `${text}\n`);
    await link(part, join(own.folder, `${encodeURIComponent(id)}.json`));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    await rm(part, { force: true });
  }
}

/** Anything but 2xx is sent again later: a full disk loses no message. */
function statusOf(error: unknown): number {
  if (error instanceof WebhookVerificationError) return 401;
  if (error instanceof Error && 'status' in error && typeof error.status === 'number') return error.status;
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 500;
}
