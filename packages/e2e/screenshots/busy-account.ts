import { setTimeout as sleep } from 'node:timers/promises';
import { campaignEnvelopeSchema, type ScriptedSettings } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import type { SeededAccount } from '../test/seeds.ts';
import type { Stage } from '../test/stage.ts';

const AGENT: Partial<ScriptedSettings> = {
  name: 'Appointment reminder',
  first_message: 'Hello {{name}}, this is Northwind Dental with a reminder of your appointment on {{day}}.',
  lines: [
    'We expect you at {{time}}. Please bring your insurance card.',
    'If you cannot come, call us back before six.',
  ],
  no_input: { prompt: 'Are you still there?', after_ms: 30_000, times: 2 },
  menu: { '1': 'Thank you. Your appointment is confirmed.' },
  closing: 'Goodbye, and see you soon.',
  voicemail_message: 'This is Northwind Dental. Please call us back about your appointment.',
};
const VARIABLES = { name: 'Grace', day: 'Monday', time: 'half past nine' };

/** Fictional numbers, reserved for such uses: the callees of the older calls. */
const NUMBERS = ['+12025550143', '+13125550178', '+14155550121', '+12125550164', '+13035550117', '+16175550109'];
const OF_OLD = ['0100', '0105', '0106', '0100', '0101', '0111', '0100', '0103', '0107', '0100', '0113', '0102', '0106'];
const LIVE = ['0108', '0108', '0102', '0112'];
const MINUTES_APART = 7;

/** Numbers that asked for no calls, and the reason of the members who added them. */
const NO_CALLS = { numbers: ['+12025550186', '+13105550162', '+14435550127'], reason: 'Asked by e-mail' };

const DAY = ['09:00-17:00'];
/** Called at once, and those that wait for the hours of the campaign. */
const CONTACTS = ['0100', '0101', '0102', '0103', '0105', '0106', '0107', '0109', '0115'].map(numberOf);
const LATER_CONTACTS = ['0108', '0110', '0111', '0113', '0114', '0116'].map(numberOf);

export interface BusyAccount extends SeededAccount {
  /** A call that was answered and had a conversation. */
  readonly talkId: string;
  /** A campaign that waits for its hours, with contacts that are done. */
  readonly campaignId: string;
}

/** An account on a working day: calls of the last hours, and some active ones. */
export async function openBusyAccount(stage: Stage): Promise<BusyAccount> {
  const account = await stage.account({ name: 'Northwind Dental', agent: AGENT });
  const place = (digits: string) => stage.place(account, { toNumber: `+1202555${digits}`, variables: VARIABLES });
  const placed = await Promise.all(OF_OLD.map(place));
  const talk = await place('0100');
  await Promise.all([...placed, talk].map(({ id }) => stage.untilEnded(account, id)));
  for (const [at, { id }] of placed.entries()) await age(stage, id, (at + 1) * MINUTES_APART, at);
  await post(stage, account, 'suppressions', NO_CALLS);
  await post(stage, account, `outbound/calls/${placed[1]?.id}/opt-out`, { reason: 'I have moved away, please stop.' });
  const campaignId = await openCampaigns(stage, account);
  for (const digits of LIVE) await place(digits);
  return { ...account, talkId: talk.id, campaignId };
}

/** A campaign on its way, a draft, and one that was canceled. */
async function openCampaigns(stage: Stage, account: SeededAccount): Promise<string> {
  const ask = (method: Method, path: string, body?: object) => send(stage, account, { method, path, body });
  const create = async (name: string, settings: object = {}) =>
    campaignEnvelopeSchema.parse(await ask('POST', 'campaigns', { name, agent_id: account.agentId, ...settings }))
      .campaign.id;
  const add = (id: string, numbers: readonly string[]) =>
    ask('POST', `campaigns/${id}/contacts`, {
      contacts: numbers.map((number) => ({ to_number: number, variables: VARIABLES })),
    });
  const canceled = await create('Opening of the new practice');
  await add(canceled, CONTACTS);
  await ask('POST', `campaigns/${canceled}/cancel`, {});
  const retry = { max_attempts: 2, on: ['busy'], after_seconds: [3_600] };
  const id = await create('Autumn recall', { budget: 25, calls_per_second: 2, retry });
  await add(id, CONTACTS);
  await ask('POST', `campaigns/${id}/start`);
  for (;;) {
    const { progress } = campaignEnvelopeSchema.parse(await ask('GET', `campaigns/${id}`)).campaign;
    // All but the one that is busy, and called again later.
    if (progress.done === CONTACTS.length - 1) break;
    await sleep(500);
  }
  await add(id, LATER_CONTACTS);
  await ask('PATCH', `campaigns/${id}`, { window: { time_zone: 'America/New_York', days: closedToday() } });
  await create('Flu vaccination', { budget: 100 });
  return id;
}

/** Working hours on all days but yesterday, today and tomorrow: it is closed now everywhere. */
function closedToday(): Readonly<Record<string, readonly string[]>> {
  const today = new Date().getUTCDay();
  const names = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
  return Object.fromEntries(names.map((name, day) => [name, [6, 0, 1].includes((day - today + 7) % 7) ? [] : DAY]));
}

function numberOf(digits: string): string {
  return `+1202555${digits}`;
}

type Method = 'GET' | 'POST' | 'PATCH';

interface Asked {
  readonly method: Method;
  readonly path: string;
  readonly body?: object | undefined;
}

async function post(stage: Stage, account: SeededAccount, path: string, body: object): Promise<void> {
  await send(stage, account, { method: 'POST', path, body });
}

/** A request of a program with the account's key, again while no store answers a busy machine in time. */
async function send({ url }: Stage, { key }: SeededAccount, { method, path, body }: Asked): Promise<unknown> {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  const request = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  for (;;) {
    const answer = await fetch(`${url}/api/v1/${path}`, request);
    if (answer.status === 503) continue;
    invariant(answer.ok, `the API takes the request, and does not answer ${answer.status}`);
    return answer.json();
  }
}

/** Moves a call into the past, and changes its number. */
async function age(stage: Stage, callId: string, minutes: number, at: number): Promise<void> {
  const number = NUMBERS[at % NUMBERS.length];
  await stage.database.side.$executeRaw`
    UPDATE calls SET callee_number = ${number}, created_at = created_at - make_interval(mins => ${minutes}::int),
      expires_at = expires_at - make_interval(mins => ${minutes}::int),
      started_at = started_at - make_interval(mins => ${minutes}::int),
      answered_at = answered_at - make_interval(mins => ${minutes}::int),
      ended_at = ended_at - make_interval(mins => ${minutes}::int)
    WHERE id = ${callId}::uuid`;
}
