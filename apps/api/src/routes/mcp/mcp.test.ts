import { callIdSchema, callingPolicySettingsSchema } from '@outdial/contracts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { claimCall, driveCall } from '../../../test/drive.ts';
import { connectMcp, ERAS, type Era } from '../../../test/mcp-client.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

const callSchema = z.looseObject({ id: callIdSchema, status: z.string(), to_number: z.string() });
const waitSchema = z.object({ timed_out: z.boolean(), call: callSchema });

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await openApi();
  account = await api.account({ capacity: 100 });
});
afterAll(() => api.close());

const connect = (era: Era, key = account.key) => connectMcp(api.url, { Authorization: `Bearer ${key}` }, era);
const newCall = (key: string) => ({ to_number: '+12025550143', agent: 'Agent', idempotency_key: key });

describe.each(ERAS)('for a client of %s', (era) => {
  it('the tools are listed with their hints and schemas', async () => {
    const { tools } = await (await connect(era)).client.listTools();
    const hints = Object.fromEntries(
      tools.map(({ name, annotations }) => [name, [annotations?.readOnlyHint, annotations?.destructiveHint]]),
    );
    const [reads, changes] = [
      [true, false],
      [false, true],
    ];
    expect(hints).toEqual({
      place_call: changes,
      wait_for_call: reads,
      get_call: reads,
      list_calls: reads,
      end_call: changes,
      create_campaign: [false, false],
      add_contacts: [false, true],
      start_campaign: [false, true],
      get_campaign: [true, false],
      list_campaigns: [true, false],
      pause_campaign: [false, false],
      resume_campaign: [false, true],
      cancel_campaign: [false, true],
      add_suppression: [false, false],
      check_suppression: reads,
      get_calling_policy: reads,
      check_calling_policy: reads,
      get_account: reads,
      list_agents: reads,
      list_phone_numbers: reads,
    });
    for (const { inputSchema, outputSchema } of tools) {
      expect([inputSchema.type, outputSchema?.['type']]).toEqual(['object', 'object']);
    }
  });

  it('a call is placed by the name of its agent, and a repetition returns the same call', async () => {
    const mcp = await connect(era);
    const placed = callSchema.parse(await mcp.result('place_call', newCall(`reminder ${era}`)));
    const again = callSchema.parse(await mcp.result('place_call', newCall(`reminder ${era}`)));
    expect([placed.status, again.id]).toEqual(['queued', placed.id]);
    const byId = { ...newCall(`other ${era}`), agent: account.agentId };
    expect(callSchema.parse(await mcp.result('place_call', byId)).id).not.toBe(placed.id);
  });

  it('a call is planned for later, found among the scheduled ones, and cancelled', async () => {
    const mcp = await connect(era);
    const scheduled_for = new Date(Date.now() + 3_600_000).toISOString();
    const retry = { max_attempts: 3, on: ['busy'], after_seconds: [60] };
    const planned = { ...newCall(`planned ${era}`), scheduled_for, on_capacity: 'queue', retry };
    const { id } = callSchema.parse(await mcp.result('place_call', planned));
    const facts = { id, status: 'scheduled', scheduled_for, waiting_for: 'time', attempt: 1, next_call_id: null };
    expect(await mcp.result('get_call', { call_id: id })).toMatchObject(facts);
    expect(await mcp.result('list_calls', { status: 'scheduled', limit: 1 })).toMatchObject({ calls: [facts] });
    expect(await mcp.result('end_call', { call_id: id })).toMatchObject({ status: 'ended', ended_reason: 'cancelled' });
  });

  it('a number is put on the do-not-call list, and a call to it is refused', async () => {
    const { key, newCall: json } = await api.account();
    const mcp = await connect(era, key);
    const number = json.to_number;
    const free = { number, suppressed: false, by: null, since: null, opted_out: false };
    expect(await mcp.result('check_suppression', { number })).toEqual(free);
    expect(await mcp.result('add_suppression', { number, reason: 'asked' })).toEqual({ number, was_new: true });
    expect(await mcp.result('add_suppression', { number })).toEqual({ number, was_new: false });
    const found = { number, suppressed: true, by: 'account', since: expect.any(String), opted_out: false };
    expect(await mcp.result('check_suppression', { number })).toEqual(found);
    const refused = await mcp.call('place_call', { ...newCall('listed'), to_number: number });
    expect(JSON.stringify(refused)).toContain('suppressed');
  });

  it('the calling policy is shown and asked, and a call that it refuses says what to do', async () => {
    const { id, key, newCall: json } = await api.account();
    const mcp = await connect(era, key);
    const number = json.to_number;
    expect(await mcp.result('get_calling_policy', {})).toMatchObject({ version: 0, windows: {}, floor: null });
    expect(await mcp.result('check_calling_policy', { number })).toMatchObject({ number, verdict: 'allowed' });
    await api.admin.policies.save(id, callingPolicySettingsSchema.parse({ windows: { default: {} } }));
    const closed = { verdict: 'outside_calling_window', opens_at: null, zones: [{ open: false }] };
    expect(await mcp.result('check_calling_policy', { number })).toMatchObject(closed);
    expect(await mcp.result('get_calling_policy', {})).toMatchObject({ version: 1, windows: { default: { mon: [] } } });
    await vi.waitFor(
      async () => {
        const refused = await mcp.call('place_call', {
          ...newCall(`closed ${era} ${Math.random()}`),
          to_number: number,
        });
        expect(JSON.stringify(refused)).toContain('on_closed `wait`');
      },
      // The process reads an account once a second.
      { timeout: 30_000, interval: 100 },
    );
  });

  it('waiting reports each state, and returns the ended call with its words marked as untrusted', async () => {
    const mcp = await connect(era);
    const { id } = callSchema.parse(await mcp.result('place_call', newCall(`waited ${era}`)));
    const states: string[] = [];
    let reportQueued: (() => void) | undefined;
    const queued = new Promise<void>((resolve) => (reportQueued = resolve));
    const waiting = mcp.call(
      'wait_for_call',
      { call_id: id },
      {
        onprogress({ message = '' }) {
          states.push(message);
          reportQueued?.();
        },
      },
    );
    await queued;
    await driveCall(api.database, id);
    const { structuredContent, content } = await waiting;
    expect(waitSchema.parse(structuredContent)).toMatchObject({
      timed_out: false,
      call: { status: 'ended', ended_reason: 'callee_hangup', transcript: [{ role: 'agent', text: 'Hello.' }] },
    });
    expect(states).toEqual(expect.arrayContaining(['queued', 'dialing', 'ringing', 'in_progress']));
    expect(states.at(-1)).toBe('ended');
    expect(content[0]).toMatchObject({ type: 'text', text: expect.stringContaining('untrusted text') });
  });

  it('waiting for a call that goes on times out with the call so far', async () => {
    const mcp = await connect(era);
    const { id } = callSchema.parse(await mcp.result('place_call', newCall(`long ${era}`)));
    await claimCall(api.database, id);
    const waited = waitSchema.parse(await mcp.result('wait_for_call', { call_id: id, timeout_seconds: 1 }));
    expect(waited).toMatchObject({ timed_out: true, call: { id, status: 'dialing' } });
  });

  it('a call is shown whole, listed with a masked number, and ended', async () => {
    const mcp = await connect(era);
    const { id } = callSchema.parse(await mcp.result('place_call', newCall(`listed ${era}`)));
    expect(await mcp.result('get_call', { call_id: id })).toMatchObject({ id, to_number: '+12025550143' });
    const page = await mcp.result('list_calls', { limit: 1 });
    expect(page).toMatchObject({ calls: [{ id, to_number: '+120•••43' }], has_more: true });
    expect(await mcp.result('end_call', { call_id: id })).toMatchObject({ status: 'ended', ended_reason: 'cancelled' });
  });

  it('the account, its agents and its numbers are shown', async () => {
    const mcp = await connect(era);
    expect(await mcp.result('get_account')).toMatchObject({ id: account.id, capacity: { limit: 100 } });
    const agent = { id: account.agentId, name: 'Agent', required_variables: [], problem: null };
    expect(await mcp.result('list_agents')).toEqual({ agents: [agent] });
    const number = { number: account.fromNumber, may_call: true };
    expect(await mcp.result('list_phone_numbers')).toMatchObject({ phone_numbers: [number] });
  });

  it('a refusal is a result with its code and what to do next', async () => {
    const mcp = await connect(era);
    const unknown = await mcp.refusal('place_call', { ...newCall('x'), agent: 'Nobody' });
    expect(unknown).toMatchObject({ code: 'agent_not_found', next: expect.stringContaining('list_agents') });
    await mcp.result('place_call', newCall(`reused ${era}`));
    const reused = { ...newCall(`reused ${era}`), to_number: '+12025550144' };
    expect((await mcp.refusal('place_call', reused)).code).toBe('idempotency_key_reused');
    const poor = await api.account({ balance: '0.00' });
    const refused = await (await connect(era, poor.key)).refusal('place_call', newCall('poor'));
    expect(refused).toMatchObject({ code: 'insufficient_funds', next: expect.stringContaining('get_account') });
  });

  it('the call of another account is not found', async () => {
    const { id } = callSchema.parse(await (await connect(era)).result('place_call', newCall(`own ${era}`)));
    const other = await connect(era, (await api.account()).key);
    for (const name of ['get_call', 'wait_for_call', 'end_call']) {
      expect((await other.refusal(name, { call_id: id })).code).toBe('call_not_found');
    }
    expect(await other.result('list_calls')).toMatchObject({ calls: [] });
  });

  it('a key without the scope of calls is refused by each tool', async () => {
    const manager = await api.account({ scopes: ['manage'] });
    const mcp = await connect(era, manager.key);
    expect((await mcp.refusal('list_calls')).code).toBe('scope_missing');
  });

  it('a wrong key cannot connect', async () => {
    await expect(connect(era, 'od_live_wrong')).rejects.toThrow(/invalid_api_key|401|Unauthorized/i);
  });
});
