import type { ScriptedSettings } from '@outdial/contracts';
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

export interface BusyAccount extends SeededAccount {
  /** A call that was answered and had a conversation. */
  readonly talkId: string;
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
  for (const digits of LIVE) await place(digits);
  return { ...account, talkId: talk.id };
}

/** A request of a program with the account's key. */
async function post({ url }: Stage, { key }: SeededAccount, path: string, body: object): Promise<void> {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  const answer = await fetch(`${url}/api/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  invariant(answer.ok, `the API takes the request, and does not answer ${answer.status}`);
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
