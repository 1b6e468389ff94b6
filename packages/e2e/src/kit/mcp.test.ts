import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { serviceArgs } from '@outdial/testkit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openProduct, type Product } from '../../test/product.ts';
import { runProgram } from '../../test/run-program.ts';
import type { SeededAccount } from '../../test/seeds.ts';

let product: Product;
let account: SeededAccount;
beforeAll(async () => {
  product = await openProduct();
  account = await product.account();
});
afterAll(() => product.close());

const CALL = { to_number: '+12025550100', agent: 'Reminder', variables: { name: 'Ada' } };
const MCP = [...serviceArgs('apps/client/src/main.ts'), 'mcp'];
const idOf = (call: unknown) => (typeof call === 'object' && call !== null && 'id' in call ? String(call.id) : 'no id');
const keyed = () => ({ OUTDIAL_API_KEY: account.key, OUTDIAL_BASE_URL: product.url });

describe.each(['2025-11-25', '2026-07-28'])('over stdio, for a client of %s', (era) => {
  async function connect(): Promise<Client> {
    const mode = era === '2025-11-25' ? 'legacy' : { pin: era };
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    const env = { PATH: process.env['PATH'] ?? '', ...keyed() };
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [...MCP], env }));
    onTestFinished(() => client.close());
    return client;
  }

  it('a call is placed once and followed to its end', async () => {
    const client = await connect();
    const placing = { name: 'place_call', arguments: { ...CALL, idempotency_key: `reminder ${era}` } };
    const { structuredContent: placed } = await client.callTool(placing);
    const { structuredContent: again } = await client.callTool(placing);
    const id = idOf(placed);
    expect(again).toMatchObject({ id });
    const states: unknown[] = [];
    const onprogress = ({ message }: { readonly message?: string | undefined }) => states.push(message);
    const waiting = { name: 'wait_for_call', arguments: { call_id: id } };
    const { structuredContent: waited } = await client.callTool(waiting, { onprogress });
    expect(waited).toMatchObject({ timed_out: false, call: { id, status: 'ended', answered_by: 'human' } });
    // The call may have ended before the client began to wait.
    if (states.length > 0) expect(states).toEqual(expect.arrayContaining(['queued', 'in_progress', 'ended']));
    const { structuredContent: listed } = await client.callTool({ name: 'list_calls', arguments: { limit: 1 } });
    expect(listed).toMatchObject({ calls: [{ id, to_number: '+120•••00' }] });
  });

  it('the call of another account is not found', async () => {
    const client = await connect();
    const call_id = '01991f3e-6a52-7c8d-9e10-2b3c4d5e6f70';
    const { isError, content } = await client.callTool({ name: 'end_call', arguments: { call_id } });
    expect([isError, content]).toMatchObject([true, [{ text: expect.stringContaining('call_not_found') }]]);
  });
});

it('the command ends when its client closes stdin, and says before a login what to do', async () => {
  expect(await runProgram(MCP, { env: keyed() }).ended).toEqual({ code: 0, stdout: '', stderr: '' });
  const { code, stderr } = await runProgram(MCP, { env: { XDG_CONFIG_HOME: '/nowhere' } }).ended;
  expect([code, stderr]).toEqual([1, 'You are not logged in. Run: outdial login\n']);
});

it('the example places a call over HTTP and prints its transcript, and a second run returns the same call', async () => {
  const flags = ['--conditions=@outdial/source', '--import=tsx', 'packages/mcp/examples/place-a-call.ts'];
  const args = [...flags, product.url, '+12025550100', 'Reminder', 'name=Ada'];
  const first = await runProgram(args, { env: { OUTDIAL_API_KEY: account.key } }).ended;
  expect(first).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^ended: \w+$/m) });
  expect(first.stdout).toContain('agent: Hello Ada, this is a reminder of your appointment.');
  const second = await runProgram(args, { env: { OUTDIAL_API_KEY: account.key } }).ended;
  expect(second.stdout).toBe(first.stdout);
});
