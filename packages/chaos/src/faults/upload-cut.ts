import { request, type ClientRequest } from 'node:http';
import { addContacts, contactsFile, contactsPath, createCampaign, startCampaign } from '../load/campaigns.ts';
import type { Account } from '../stack/account.ts';
import type { Service } from '../stack/service.ts';
import type { Stack } from '../stack/stack.ts';
import { firstCallsOf, numbersFor, untilCompleted } from './campaign-calls.ts';
import type { Fault } from './fault.ts';
import { first, killService, PATIENCE_MS, until } from './observe.ts';
import { notDialedOnce } from './scheduled-calls.ts';

const LINES = 9_000;
/** Of a file, what arrives before its connection breaks: the API stores contacts five hundred at a time. */
const CUT_AT = [0.2, 0.5, 0.9] as const;
const CONTACTS = 24;
const REMOVED_WITHIN_MS = 10_000;

/** Uploads of one campaign break off: three by their connections, and one because its API dies. */
export const uploadCut: Fault = {
  name: 'upload-cut',
  expectation: 'an upload that breaks off leaves no contact; the next one counts alone',
  carrier: 'simulated',
  async run({ stack }) {
    const account = await stack.account();
    const id = await createCampaign(stack, account);
    const target = { account, id };
    const received: number[] = [];
    const removedMs: number[] = [];
    for (const part of CUT_AT) {
      const upload = sendPart(first(stack.apis), target, part);
      received.push(await untilReceived(stack, id));
      upload.destroy();
      removedMs.push(await untilRemoved(stack, id));
    }
    const killed = await killApiThatReceives(stack, target);
    const numbers = numbersFor(CONTACTS);
    await addContacts(stack, account, { id, numbers });
    const callIds = await firstCallsOf(stack, id);
    await startCampaign(stack, account, id);
    const unfinished = await untilCompleted(stack, { account, id, callIds });
    const wrong = await notDialedOnce(stack, callIds);
    const slowestMs = Math.max(...removedMs);
    return {
      injected: CUT_AT.length + 1,
      hit: received.reduce((sum, count) => sum + count, killed.received),
      recoveryMs: slowestMs,
      timings: [{ what: 'contacts of a cut upload removed', tookMs: slowestMs, promisedMs: REMOVED_WITHIN_MS }],
      violations: [
        ...killed.violations,
        ...wrong,
        ...unfinished,
        ...(callIds.length === CONTACTS ? [] : [`the campaign has ${callIds.length} contacts`]),
      ],
    };
  },
};

interface Target {
  readonly account: Account;
  readonly id: string;
}

/** An upload of which only a part is sent. It stays open. */
function sendPart({ url }: Service, { account, id }: Target, part: number): ClientRequest {
  const file = contactsFile(numbersFor(LINES));
  const upload = request(`${url}/api/v1${contactsPath(id)}`, {
    method: 'POST',
    headers: { 'X-API-Key': account.apiKey, 'Content-Type': 'text/csv', 'Content-Length': Buffer.byteLength(file) },
  });
  upload.on('error', () => undefined);
  upload.on('response', (response) => response.resume());
  upload.write(file.slice(0, Math.floor(file.length * part)));
  return upload;
}

/** Its API is gone, so the upload counts as received until it has stood still for ten minutes, which are skipped. */
async function killApiThatReceives(stack: Stack, target: Target) {
  const api = first(stack.apis);
  const upload = sendPart(api, target, 0.5);
  const received = await untilReceived(stack, target.id);
  await killService(stack, api);
  upload.destroy();
  const other = stack.apis.find((each) => each.isRunning());
  if (!other) throw new Error('another API runs');
  const answer = await fetch(`${other.url}/api/v1${contactsPath(target.id)}`, {
    method: 'POST',
    headers: { 'X-API-Key': target.account.apiKey, 'Content-Type': 'text/csv' },
    body: contactsFile(numbersFor(1)),
  });
  await answer.arrayBuffer();
  await stack.sql(
    `UPDATE campaign_uploads SET moved_at = moved_at - interval '10 minutes'
     WHERE campaign_id = $1::uuid AND state = 'receiving'`,
    [target.id],
  );
  await untilRemoved(stack, target.id);
  await api.start();
  return {
    received,
    violations: answer.status === 409 ? [] : [`an upload beside another answered ${answer.status}`],
  };
}

/** @returns how many contacts Postgres has of the upload that is being received */
async function untilReceived({ sql }: Pick<Stack, 'sql'>, id: string): Promise<number> {
  let accepted = 0;
  await until('contacts of an upload are stored', PATIENCE_MS, async () => {
    const [row] = await sql<{ accepted: number }>(
      `SELECT accepted FROM campaign_uploads WHERE campaign_id = $1::uuid AND state = 'receiving'`,
      [id],
    );
    accepted = row?.accepted ?? 0;
    return accepted > 0;
  });
  return accepted;
}

function untilRemoved({ sql }: Pick<Stack, 'sql'>, id: string): Promise<number> {
  return until('the contacts of an upload that broke off are gone', PATIENCE_MS, async () => {
    const [row] = await sql<{ left: number }>(
      `SELECT (SELECT count(*) FROM campaign_contacts WHERE campaign_id = $1::uuid)::int
         + (SELECT count(*) FROM campaign_uploads WHERE campaign_id = $1::uuid AND state = 'receiving')::int AS left`,
      [id],
    );
    return row?.left === 0;
  });
}
