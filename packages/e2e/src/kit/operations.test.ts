import { readFile } from 'node:fs/promises';
import { invariant } from '@outdial/kernel';
import { NotFoundError, Outdial, OutdialError } from '@outdial/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openProduct, type Product } from '../../test/product.ts';

const DOCUMENT = new URL('../../../sdk/openapi.json', import.meta.url);
interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

let product: Product;
beforeAll(async () => {
  product = await openProduct();
});
afterAll(() => product.close());

/** Ids of the operations by method and path: `GET /api/v1/agents/[^/]+`. */
async function operations(): Promise<readonly (readonly [request: RegExp, id: string])[]> {
  const { paths }: ApiDocument = JSON.parse(await readFile(DOCUMENT, 'utf8'));
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => {
      const pattern = path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+');
      return [new RegExp(`^${method.toUpperCase()} ${pattern}$`), operationId] as const;
    }),
  );
}

it('every operation of the document is called through the client, and its answer is understood', async () => {
  const account = await product.account();
  const sent = new Set<string>();
  const outdial = new Outdial({
    apiKey: account.key,
    baseUrl: product.url,
    fetch: async (request) => {
      sent.add(`${request.method} ${new URL(request.url).pathname}`);
      return fetch(request);
    },
  });
  await useCalls(outdial, account.agentId);
  await useSuppressions(outdial);
  await useAgents(outdial, account.agentId);
  await useAccount(outdial);
  await usePolicy(outdial);
  await useCampaigns(outdial, account.agentId);
  await useCredentials(outdial);
  await useWebhooks(outdial);
  await useListeners(outdial);
  expect(await outdial.service.health()).toBeTypeOf('object');
  expect(await outdial.service.readiness()).toBeTypeOf('object');
  expect(await outdial.service.document()).toMatchObject({ openapi: '3.1.1' });
  const known = await operations();
  const called = [...sent].map((request) => known.find(([pattern]) => pattern.test(request))?.[1] ?? request);
  expect(new Set(called)).toEqual(new Set(known.map(([, id]) => id)));
});

async function useCalls(outdial: Outdial, agentId: string): Promise<void> {
  const call = await outdial.calls.create({
    to_number: '+12025550100',
    agent_id: agentId,
    variables: { name: 'Ada' },
    metadata: { order: 1_042 },
  });
  const ended = await call.wait();
  expect(ended).toMatchObject({ id: call.id, status: 'ended', answered_by: 'human', metadata: { order: 1_042 } });
  const types: string[] = [];
  for await (const { type } of ended.events()) types.push(type);
  expect(types[0]).toBe('queued');
  expect(types).toContain('ended');
  expect((await outdial.calls.listEvents(call.id)).map(({ type }) => type)).toEqual(expect.arrayContaining(types));
  expect((await call.update({ review_note: 'Good.' })).review_note).toBe('Good.');
  expect((await call.end()).status).toBe('ended');
  await expect(call.instruct('Be brief.')).rejects.toMatchObject({ code: 'call_not_live', status: 409 });
  await expect.poll(async () => (await call.refresh()).recording_status).toBe('available');
  const sound = await new Response(await call.recording()).arrayBuffer();
  expect(Buffer.from(sound).toString('latin1', 0, 4)).toBe('RIFF');
  const listed: string[] = [];
  for await (const { id } of outdial.calls.list({ status: 'ended', to_number: '+12025550100' })) listed.push(id);
  expect(listed).toEqual([call.id]);
}

async function useSuppressions(outdial: Outdial): Promise<void> {
  const number = '+12025550101';
  const { added, suppressions } = await outdial.suppressions.add({ numbers: [number], reason: 'moved' });
  expect([added, suppressions.map((entry) => entry.number)]).toEqual([1, [number]]);
  const [entry] = suppressions;
  invariant(entry, 'an added number has its entry');
  expect(await outdial.suppressions.check([number])).toMatchObject([{ number, suppressed: true, by: 'account' }]);
  expect(await outdial.suppressions.import('number\n+12025550102\n')).toMatchObject({ added: 1, invalid: 0 });
  await outdial.suppressions.remove(entry.id, { reason: 'moved back' });
  const [ended] = (await outdial.calls.list({ status: 'ended' }).page()).items;
  invariant(ended, 'there is an ended call');
  expect((await outdial.calls.optOut(ended.id)).kind).toBe('opt_out');
  const kinds: string[] = [];
  for await (const { kind } of outdial.suppressions.list()) kinds.push(kind);
  expect(kinds).toEqual(['opt_out', 'manual']);
}

async function useCampaigns({ campaigns }: Outdial, agentId: string): Promise<void> {
  // Its second call would begin after a quarter of an hour.
  const { id, state } = await campaigns.create({ name: 'Reminders', agent_id: agentId, calls_per_second: 0.001 });
  expect(state).toBe('draft');
  const file = new Blob(['phone,name\n+12025550103,Ada\n+12025550103,Ben\n202,Cleo\n']);
  const upload = await campaigns.uploadContacts(id, file, { fileName: 'people.csv' });
  expect(upload).toMatchObject({ number: 1, file_name: 'people.csv', accepted: 1, duplicates: 1, invalid: 1 });
  expect(await campaigns.uploads.get(id, 1)).toEqual(upload);
  expect(await new Response(await campaigns.uploads.errors(id, 1)).text()).toMatch(/^line,column,value,message\r\n4,/);
  const added = await campaigns.contacts.add(id, [{ to_number: '+12025550101', variables: { name: 'Dora' } }]);
  expect(added).toMatchObject({ number: 2, accepted: 1 });
  await campaigns.start(id);
  expect((await campaigns.pause(id)).state).toBe('paused');
  expect((await campaigns.resume(id)).state).toBe('running');
  expect((await campaigns.update(id, { calls_per_second: null })).calls_per_second).toBeNull();
  expect((await campaigns.wait(id)).progress).toMatchObject({ done: 2, by_reason: { busy: 1, declined: 1 } });
  const outcomes: (string | null)[] = [];
  for await (const { outcome } of campaigns.contacts.list(id, { limit: 1 })) outcomes.push(outcome);
  expect(outcomes).toEqual(['declined', 'busy']);
  expect(await new Response(await campaigns.results(id)).text()).toMatch(/^upload,line,to_number,.*,name\r\n1,2,/);
  const draft = await campaigns.create({ name: 'Never', agent_id: agentId });
  expect(['cancelling', 'cancelled']).toContain((await campaigns.cancel(draft.id)).state);
  await campaigns.delete((await campaigns.create({ name: 'Mistake', agent_id: agentId })).id);
  const listed: string[] = [];
  for await (const { name } of campaigns.list({ limit: 1 })) listed.push(name);
  expect(listed).toEqual(['Never', 'Reminders']);
}

async function useAgents(outdial: Outdial, agentId: string): Promise<void> {
  const { items } = await outdial.agents.list().page();
  expect(items.map(({ name }) => name)).toEqual(['Reminder']);
  expect((await outdial.agents.get(agentId)).settings).toMatchObject({ driver: 'scripted' });
  const agent = await outdial.agents.create({ driver: 'scripted', name: 'Second', first_message: 'Hello.' });
  const settings = { driver: 'scripted', name: 'Renamed', first_message: 'Hello.' } as const;
  expect((await outdial.agents.update(agent.id, { settings, base_version: 1 })).version).toBe(2);
  const versions = await outdial.agents.versions(agent.id).page();
  expect(versions.items.map(({ version }) => version)).toEqual([2, 1]);
  expect((await outdial.agents.version(agent.id, 1)).name).toBe('Second');
  // A scripted agent cannot be tried as text: each answer is an error of its family.
  await expect(outdial.tries.create(agent.id)).rejects.toMatchObject({ code: 'try_not_possible', status: 422 });
  const none = { ...NO_TRY, id: crypto.randomUUID(), agent_id: agent.id };
  for (const ask of [
    () => outdial.tries.get(none),
    () => outdial.tries.say(none, 'Hello.'),
    () => outdial.tries.end(none),
    () => outdial.tries.events(none).next(),
  ]) {
    const error: unknown = await ask().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ code: 'try_not_found' });
  }
  await useEvaluations(outdial, agent.id);
}

/** A scripted agent cannot be evaluated; its scenarios are kept all the same. */
async function useEvaluations({ evaluations }: Outdial, agentId: string): Promise<void> {
  const scenario = { name: 'Greets', persona: { kind: 'scripted' as const, lines: ['Hello.'] } };
  await evaluations.saveScenarios(agentId, [scenario]);
  expect(await evaluations.scenarios(agentId)).toMatchObject([{ ...scenario, max_turns: 10 }]);
  await expect(evaluations.create(agentId)).rejects.toMatchObject({ code: 'evaluation_not_possible', status: 422 });
  expect((await evaluations.list(agentId).page()).items).toEqual([]);
  const none = { id: crypto.randomUUID(), agent_id: agentId };
  for (const ask of [() => evaluations.get(none), () => evaluations.cancel(none)]) {
    await expect(ask()).rejects.toMatchObject({ code: 'evaluation_not_found' });
  }
}

const NO_TRY = {
  agent_version: 1,
  medium: 'text',
  status: 'running',
  ended_reason: null,
  cost: 0,
  currency: 'USD',
  created_at: '',
  expires_at: '',
} as const;

async function useAccount(outdial: Outdial): Promise<void> {
  const { wallet } = await outdial.account.get();
  expect(wallet.currency).toBe('USD');
  const kinds: string[] = [];
  for await (const { kind } of outdial.account.ledger({ limit: 1 })) kinds.push(kind);
  expect(kinds).toEqual(['call_charge', 'top_up']);
  expect((await outdial.models.list()).currency).toBe('USD');
  const [number] = await outdial.phoneNumbers.list();
  expect(number).toMatchObject({ is_default: true });
  const { api_key: key, value } = await outdial.apiKeys.create({ name: 'Second', expires_at: null });
  expect(value).toMatch(/^od_/);
  expect((await outdial.apiKeys.list()).map(({ id }) => id)).toContain(key.id);
  expect((await outdial.apiKeys.revoke(key.id)).revoked_at).not.toBeNull();
}

async function usePolicy({ account: { callingPolicy } }: Outdial): Promise<void> {
  expect((await callingPolicy.get()).calling_policy.version).toBe(0);
  const { calling_policy: saved, floor } = await callingPolicy.update({ caps: [{ hours: 1, max: 50 }] });
  expect([saved.version, saved.caps, floor]).toEqual([1, [{ hours: 1, max: 50 }], null]);
  expect((await callingPolicy.check({ number: '+12025550143' })).verdict).toBe('allowed');
  expect((await callingPolicy.versions().page()).items).toEqual([saved]);
}

async function useCredentials(outdial: Outdial): Promise<void> {
  const { credentials, secrets } = outdial;
  const credential = await credentials.create({ provider: 'openai', name: 'own', api_key: 'sk-test' });
  expect((await credentials.update(credential.id, { max_concurrent_calls: 3 })).max_concurrent_calls).toBe(3);
  expect((await credentials.rotate(credential.id, 'sk-other')).id).toBe(credential.id);
  expect((await credentials.check(credential.id)).check.result).toBe('unreachable');
  expect((await credentials.list().page()).items.map(({ name }) => name)).toEqual(['own']);
  await credentials.delete(credential.id);
  expect(await secrets.set('CRM_TOKEN', 'x')).toMatchObject({ name: 'CRM_TOKEN' });
  expect(await secrets.list()).toHaveLength(1);
  await secrets.delete('CRM_TOKEN');
  const error: unknown = await secrets.delete('CRM_TOKEN').catch((thrown: unknown) => thrown);
  invariant(error instanceof OutdialError, 'a second deletion is refused');
  expect(error.code).toBe('secret_not_found');
}

/** A port without a listener: deliveries stay pending. */
const HOOKS = 'http://127.0.0.1:1';

async function useWebhooks({ webhookEndpoints: endpoints, webhookMessages: messages }: Outdial): Promise<void> {
  const { endpoint, secret } = await endpoints.create({ url: `${HOOKS}/hooks`, events: ['call.ended'] });
  expect(secret).toMatch(/^whsec_/);
  expect((await endpoints.list()).map(({ id }) => id)).toEqual([endpoint.id]);
  expect((await endpoints.update(endpoint.id, { description: 'Our CRM' })).events).toEqual(['call.ended']);
  expect((await endpoints.get(endpoint.id)).description).toBe('Our CRM');
  const rotated = await endpoints.rotateSecret(endpoint.id, { overlap_hours: 0 });
  expect([rotated.secret === secret, rotated.previous_until]).toEqual([false, null]);
  const message = await endpoints.test(endpoint.id);
  expect((await endpoints.test(endpoint.id, 'call.answered')).type).toBe('call.answered');
  const types: string[] = [];
  for await (const { type } of endpoints.deliveries(endpoint.id, { limit: 1 })) types.push(type);
  expect(types).toEqual(['call.answered', 'webhook.test']);
  expect(await messages.get(message.id)).toMatchObject({
    message: { id: message.id },
    deliveries: [{ type: types[1] }],
  });
  expect(await messages.resend(message.id, endpoint.id)).toMatchObject({ endpoint_id: endpoint.id, state: 'pending' });
  const replay = await endpoints.replays.start(endpoint.id, { since: new Date().toISOString() });
  expect((await endpoints.replays.get(endpoint.id, replay.id)).id).toBe(replay.id);
  // It may be over before it is canceled.
  expect(['cancelled', 'done']).toContain((await endpoints.replays.cancel(endpoint.id, replay.id)).state);
  const made = await endpoints.perCallSecret.make();
  expect(await endpoints.perCallSecret.get()).toEqual({ made_at: made.made_at, previous_until: null });
  await endpoints.delete(endpoint.id);
  expect(await endpoints.list()).toEqual([]);
}

async function useListeners({ webhookListeners: listeners }: Outdial): Promise<void> {
  const { listener, secret } = await listeners.create();
  expect([listener.events, secret]).toEqual([[], expect.stringMatching(/^whsec_/)]);
  const result = { message_id: crypto.randomUUID(), attempt: 1, status: 200, error: null, duration_ms: 1 };
  await expect(listeners.report(listener.id, result)).rejects.toMatchObject({ code: 'webhook_message_not_found' });
  const stop = new AbortController();
  const next = listeners.stream(listener.id, { signal: stop.signal }).next();
  await listeners.delete(listener.id);
  await expect(next).rejects.toMatchObject({ code: 'webhook_listener_not_found' });
}
