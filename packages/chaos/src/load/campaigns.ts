import { setTimeout as sleep } from 'node:timers/promises';
import { campaignEnvelopeSchema, campaignUploadEnvelopeSchema, type CampaignBody } from '@outdial/contracts';
import type { Account } from '../stack/account.ts';
import type { Service } from '../stack/service.ts';
import type { Stack } from '../stack/stack.ts';
import { GIVES_UP_AFTER_MS } from './client.ts';

export interface CampaignPlan {
  readonly numbers: readonly string[];
  /** Fields of `POST /campaigns` besides its name and agent. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

const PATIENCE_MS = 150_000;
const AGAIN_MS = 500;

/** A draft without contacts. @returns its id */
export async function createCampaign(
  stack: Stack,
  account: Account,
  settings: CampaignPlan['settings'] = {},
): Promise<string> {
  const body = JSON.stringify({ name: 'Chaos', agent_id: account.agentId, ...settings });
  const answer = await insist(anyApi(stack), account, { path: '/campaigns', body });
  return campaignEnvelopeSchema.parse(answer).campaign.id;
}

/** Adds contacts by a file. @throws unless each is added */
export async function addContacts(
  stack: Stack,
  account: Account,
  { id, numbers }: Pick<CampaignPlan, 'numbers'> & { readonly id: string },
): Promise<void> {
  const asking = { path: contactsPath(id), body: contactsFile(numbers), type: 'text/csv' };
  const { upload } = campaignUploadEnvelopeSchema.parse(await insist(anyApi(stack), account, asking));
  if (upload.accepted !== numbers.length)
    throw new Error(`${upload.accepted} of ${numbers.length} contacts were added`);
}

export async function startCampaign(stack: Stack, account: Account, id: string): Promise<void> {
  await insist(anyApi(stack), account, { path: `/campaigns/${id}/start` });
}

export async function readCampaign(stack: Stack, account: Account, id: string): Promise<CampaignBody> {
  const answer = await send(anyApi(stack), account, { path: `/campaigns/${id}`, method: 'GET' });
  return campaignEnvelopeSchema.parse(await answer.json()).campaign;
}

export function contactsPath(id: string): string {
  return `/campaigns/${id}/contacts`;
}

export function contactsFile(numbers: readonly string[]): string {
  return ['to_number', ...numbers].join('\n');
}

interface Asking {
  readonly path: string;
  readonly method?: string;
  readonly body?: string;
  readonly type?: string;
}

function send({ url }: Service, account: Account, { path, method = 'POST', body, type }: Asking): Promise<Response> {
  return fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      'X-API-Key': account.apiKey,
      ...(body !== undefined && { 'Content-Type': type ?? 'application/json' }),
    },
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
}

/** Asks until the API takes it; a busy machine answers 503. @returns the body @throws if it is refused */
async function insist(api: Service, account: Account, asking: Asking): Promise<unknown> {
  const deadlineMs = performance.now() + GIVES_UP_AFTER_MS;
  for (;;) {
    const response = await send(api, account, asking);
    const answer: unknown = await response.json();
    if (response.ok) return answer;
    if (response.status !== 503 || performance.now() > deadlineMs)
      throw new Error(`${asking.path} answered ${response.status}: ${JSON.stringify(answer)}`);
    await sleep(AGAIN_MS);
  }
}

function anyApi({ apis }: Stack): Service {
  const api = apis.find((each) => each.isRunning());
  if (!api) throw new Error('an API runs');
  return api;
}
