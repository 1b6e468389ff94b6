import { Outdial } from '@outdial/sdk';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { openLossyProxy } from '../../test/lossy-proxy.ts';
import { openProduct, type Product } from '../../test/product.ts';

let product: Product;
beforeAll(async () => {
  product = await openProduct({ speed: 2 });
});
afterAll(() => product.close());

const newCall = (agentId: string) => ({
  to_number: '+12025550100',
  agent_id: agentId,
  variables: { name: 'Ada' },
});
/** Patient: a busy machine answers late. */
const clientOf = (apiKey: string, baseUrl = product.url) => new Outdial({ apiKey, baseUrl, timeoutMs: 60_000 });

it('waiting goes on when the API restarts, and ends with the call', async () => {
  const account = await product.account();
  const call = await clientOf(account.key).calls.create(newCall(account.agentId));
  const waiting = call.wait();
  await product.stopApi();
  await product.startApi();
  const ended = await waiting;
  expect(ended).toMatchObject({ id: call.id, status: 'ended' });
  expect(ended.transcript?.length).toBeGreaterThan(0);
});

it('events go on when their connection is cut, each of them once and in order', async () => {
  const account = await product.account();
  const proxy = await openLossyProxy(product.url, () => false);
  onTestFinished(() => proxy.close());
  const call = await clientOf(account.key, proxy.url).calls.create(newCall(account.agentId));
  const ids: string[] = [];
  for await (const { id, type } of call.events()) {
    ids.push(id);
    // Each time a client that lost its place would begin again.
    if (type === 'queued' || type === 'ringing' || type === 'in_progress') proxy.cut();
  }
  const whole = await clientOf(account.key).calls.listEvents(call.id);
  expect(ids).toEqual(whole.slice(0, ids.length).map(({ id }) => id));
  expect(whole.slice(0, ids.length).map(({ type }) => type)).toContain('ended');
});

it('50 creates at once, of which one answer in five is lost, are 50 calls', async () => {
  const account = await product.account();
  // The first answer of every fifth create.
  const keys = new Set<unknown>();
  const losesCreate = ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }) => {
    const key = headers['idempotency-key'];
    if (key === undefined || keys.has(key)) return false;
    return keys.add(key).size % 5 === 0;
  };
  const proxy = await openLossyProxy(product.url, losesCreate);
  onTestFinished(() => proxy.close());
  const outdial = clientOf(account.key, proxy.url);
  const created = await Promise.all(
    Array.from({ length: 50 }, () => outdial.calls.create({ ...newCall(account.agentId), to_number: '+12025550101' })),
  );
  expect(proxy.lost()).toBe(10);
  const ids = new Set(created.map(({ id }) => id));
  expect(ids.size).toBe(50);
  const stored: string[] = [];
  for await (const { id } of outdial.calls.list({ limit: 100 })) stored.push(id);
  expect(new Set(stored)).toEqual(ids);
  expect(stored).toHaveLength(50);
});
