import type { AnsweredBy, CallBody, EndedReason } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AT_REST, audit } from '../audit.ts';
import { readRecording } from '../recording.ts';
import { openSipNetwork, type SipNetwork } from '../sip-network.ts';

/** All calls at once, in real time; one of them gets no answer at all for 32 s. */
const LIMIT_MS = 300_000;

const FIRST = 'Hello Ada, this is a reminder of your appointment.';
const SECOND = 'Will you be there?';
const CLOSING = 'Goodbye.';
const OPTED_OUT = 'You will not be called again. Goodbye.';
const CONVERSATION = [FIRST, SECOND, CLOSING];

interface Expected {
  readonly persona: string;
  readonly reason: EndedReason;
  readonly sipCode: number | null;
  /** Null for an unanswered call. */
  readonly answeredBy: AnsweredBy | null;
  /** What the agent said, to the end. Absent where it depends on when the callee interrupts. */
  readonly said?: readonly string[];
}

/** The outcome of a call follows its callee. */
const expected: readonly Expected[] = [
  { persona: 'friendly', reason: 'agent_hangup', answeredBy: 'human', sipCode: 200, said: CONVERSATION },
  { persona: 'busy', reason: 'busy', answeredBy: null, sipCode: 486 },
  { persona: 'never_answers', reason: 'no_answer', answeredBy: null, sipCode: 487 },
  { persona: 'declines', reason: 'declined', answeredBy: null, sipCode: 603 },
  { persona: 'not_in_service', reason: 'invalid_destination', answeredBy: null, sipCode: 404 },
  { persona: 'impatient', reason: 'callee_hangup', answeredBy: 'unknown', sipCode: 200, said: [] },
  {
    persona: 'voicemail',
    reason: 'voicemail_reached',
    answeredBy: 'voicemail',
    sipCode: 200,
    said: ['Please call us back.'],
  },
  {
    persona: 'screening',
    reason: 'call_screened',
    answeredBy: 'screening',
    sipCode: 200,
    said: ['A reminder of an appointment.'],
  },
  {
    persona: 'silent',
    reason: 'silence_timeout',
    answeredBy: 'unknown',
    sipCode: 200,
    said: [FIRST, 'Are you there?'],
  },
  { persona: 'congested', reason: 'carrier_unavailable', answeredBy: null, sipCode: 503 },
  { persona: 'slow', reason: 'agent_hangup', answeredBy: 'human', sipCode: 200, said: CONVERSATION },
  { persona: 'menu', reason: 'agent_hangup', answeredBy: 'ivr', sipCode: 200, said: CONVERSATION },
  { persona: 'unreachable', reason: 'carrier_unavailable', answeredBy: null, sipCode: null },
  { persona: 'talks_over', reason: 'agent_hangup', answeredBy: 'human', sipCode: 200 },
  { persona: 'holds', reason: 'agent_hangup', answeredBy: 'human', sipCode: 200, said: CONVERSATION },
  { persona: 'opts_out', reason: 'opted_out', answeredBy: 'human', sipCode: 200, said: [FIRST, OPTED_OUT] },
  { persona: 'objects', reason: 'agent_hangup', answeredBy: 'human', sipCode: 200, said: CONVERSATION },
  { persona: 'refuses_transfer', reason: 'agent_hangup', answeredBy: 'human', sipCode: 200, said: CONVERSATION },
  { persona: 'forbids_transfer', reason: 'agent_hangup', answeredBy: 'human', sipCode: 200, said: CONVERSATION },
  { persona: 'ignores_transfer', reason: 'agent_hangup', answeredBy: 'human', sipCode: 200, said: CONVERSATION },
];
const answered = expected.filter(({ answeredBy }) => answeredBy !== null);
const unanswered = [...expected.filter(({ answeredBy }) => answeredBy === null), { persona: 'unassigned' }];

/** Each persona behind another's number: the outcome must not follow the digits. */
const STEP = 7;
const numberOf = (persona: string): string => {
  const place = expected.findIndex((one) => one.persona === persona);
  const shuffled = place < 0 ? 77 : (place * STEP + STEP) % expected.length;
  return `+120255501${String(shuffled).padStart(2, '0')}`;
};

let network: SipNetwork;
const calls = new Map<string, CallBody>();

beforeAll(async () => {
  network = await openSipNetwork(Object.fromEntries(expected.map(({ persona }) => [numberOf(persona), persona])));
  const { agentId, api } = network;
  const call = async (persona: string) => {
    const ringing = persona === 'never_answers' ? { ring_timeout_seconds: 5 } : {};
    const body = { to_number: numberOf(persona), agent_id: agentId, variables: { name: 'Ada' }, ...ringing };
    calls.set(persona, await api.ended(await api.place(body)));
  };
  await Promise.all([...expected.map(({ persona }) => persona), 'unassigned'].map(call));
}, LIMIT_MS);
afterAll(() => network.close());

function callTo(persona: string): CallBody {
  const call = calls.get(persona);
  invariant(call, 'everybody was called');
  return call;
}

async function recordingOf(persona: string) {
  const wav = await network.api.recording(callTo(persona).id);
  invariant(wav, 'the call has a recording');
  return readRecording(wav);
}

const turnsOf = (persona: string, role: 'agent' | 'callee') =>
  (callTo(persona).transcript ?? []).filter((turn) => turn.role === role);

test.each(expected)('$persona ends $reason', ({ persona, reason, answeredBy, sipCode }) => {
  expect(callTo(persona)).toMatchObject({
    status: 'ended',
    ended_reason: reason,
    answered_by: answeredBy,
    sip_code: sipCode,
    callee_number: numberOf(persona),
  });
});

test('an unassigned number ends invalid_destination', () => {
  expect(callTo('unassigned')).toMatchObject({ ended_reason: 'invalid_destination', sip_code: 404, answered_by: null });
});

describe('a call that was answered', () => {
  test.each(answered)('by $persona costs its connection and every started second', ({ persona }) => {
    const { answered_at, ended_at, billable_seconds, cost, cost_breakdown } = callTo(persona);
    const talkedMs = Date.parse(ended_at ?? '') - Date.parse(answered_at ?? '');
    expect(billable_seconds).toBe(Math.ceil(talkedMs / 1_000));
    expect(cost).toBeCloseTo(0.001 + billable_seconds * 0.0002, 9);
    expect(cost_breakdown.total).toBe(cost);
    expect(cost_breakdown.items.reduce((sum, item) => sum + item.cost, 0)).toBeCloseTo(cost, 9);
    expect(cost_breakdown.reserved).toBeGreaterThanOrEqual(cost);
  });

  test.each(answered.filter(({ said }) => said))('by $persona hears the agent’s lines', ({ persona, said }) => {
    const whole = turnsOf(persona, 'agent').filter((turn) => turn.source === 'script' && !turn.interrupted);
    expect(whole.map((turn) => turn.text)).toEqual(said);
  });

  test.each(answered)('by $persona has turns in order and no invented words', ({ persona }) => {
    for (const role of ['agent', 'callee'] as const) {
      const turns = turnsOf(persona, role);
      for (const [at, turn] of turns.entries()) {
        expect(turn.start_ms).toBeGreaterThanOrEqual(turns[at - 1]?.end_ms ?? 0);
        expect(turn.end_ms).toBeGreaterThanOrEqual(turn.start_ms);
        if (role === 'callee' && turn.source !== 'dtmf') expect(turn.text).toBeNull();
      }
    }
  });

  test.each(answered)(
    'by $persona is recorded: the agent speaks in its turns and at no other time',
    async ({ persona }) => {
      const { agent } = await recordingOf(persona);
      const turns = turnsOf(persona, 'agent').filter((turn) => turn.source === 'script');
      for (const { start_ms, end_ms } of turns) {
        const isVoiced = end_ms - start_ms < 100 || agent.level(start_ms, end_ms) > 300;
        expect({ persona, start_ms, isVoiced }).toEqual({ persona, start_ms, isVoiced: true });
      }
      expect(agent.peakOutside(turns)).toBe(0);
      // A spoken voice; its digits are events, not tones.
      if (turns.length > 0) expect(agent.share(100, 3_400)).toBeGreaterThan(0.9);
    },
  );

  test.each(answered)(
    'by $persona is recorded: the callee speaks where the transcript has a turn',
    async ({ persona }) => {
      const { callee: side, agent } = await recordingOf(persona);
      expect(side.lengthMs).toBe(agent.lengthMs);
      const turns = turnsOf(persona, 'callee').filter((turn) => turn.source === 'untranscribed');
      for (const { start_ms, end_ms } of turns) expect(side.level(start_ms, end_ms)).toBeGreaterThan(100);
      const says = !['impatient', 'silent'].includes(persona);
      expect(turns.length > 0).toBe(says);
      if (says) expect(side.share(100, 3_400)).toBeGreaterThan(0.9);
      else expect(side.level()).toBeLessThan(20);
    },
  );
});

test('the beep of a voicemail is recorded on the callee’s side alone, and the message follows it', async () => {
  const { callee: side, agent } = await recordingOf('voicemail');
  expect(side.toneMs(1_000)).toBeGreaterThanOrEqual(200);
  expect(side.toneMs(1_000)).toBeLessThanOrEqual(560);
  expect(agent.toneMs(1_000)).toBe(0);
  const [message] = turnsOf('voicemail', 'agent');
  invariant(message, 'a message was left');
  expect(side.level(message.start_ms + 200)).toBeLessThan(20);
});

test('early media is not recorded: the ringing tone of a slow callee comes before its answer', async () => {
  const { callee: side } = await recordingOf('slow');
  expect(side.ringingMs).toBe(0);
  // With its 8 s of early media, the recording would be longer than the talk time.
  const { answered_at, ended_at } = callTo('slow');
  const talkedMs = Date.parse(ended_at ?? '') - Date.parse(answered_at ?? '');
  expect(side.lengthMs).toBeLessThan(talkedMs + 2_000);
});

test('a callee who puts the call on hold is silent, and the agent waits', async () => {
  const [, , afterwards] = turnsOf('holds', 'callee');
  const before = turnsOf('holds', 'callee')[1];
  invariant(before && afterwards, 'it greets, asks to wait, and comes back');
  const { callee: side } = await recordingOf('holds');
  expect(afterwards.start_ms - before.end_ms).toBeGreaterThan(2_000);
  expect(side.level(before.end_ms + 400, afterwards.start_ms - 200)).toBeLessThan(20);
});

test('a callee who talks over the agent interrupts it', () => {
  expect(turnsOf('talks_over', 'agent').some((turn) => turn.interrupted)).toBe(true);
});

test('the menu receives its digit, as an event and not as a tone, and connects the call', async () => {
  expect(callTo('menu').summary).toContain('The agent pressed 1.');
  const prompt = turnsOf('menu', 'callee')[0];
  const { agent } = await recordingOf('menu');
  expect(agent.level(0, prompt?.end_ms)).toBe(0);
  expect(turnsOf('menu', 'callee').length).toBeGreaterThanOrEqual(3);
});

test.each(unanswered)('$persona, unanswered, costs nothing and leaves no recording', async ({ persona }) => {
  expect(callTo(persona)).toMatchObject({
    answered_at: null,
    answered_by: null,
    billable_seconds: 0,
    cost: 0,
    cost_breakdown: { items: [], total: 0 },
    transcript: null,
    recording_status: 'none',
  });
  expect(await network.api.recording(callTo(persona).id)).toBeNull();
});

test('every callee was dialed once, as the far end saw it', async () => {
  const dialled = (await network.invited()).map(({ to, persona }) => `${to} ${persona}`);
  const everybody = [...calls].map(([persona, call]) => `${call.callee_number} ${persona}`);
  expect(dialled.toSorted()).toEqual(everybody.toSorted());
});

test('afterwards every cent and every slot is accounted for', async () => {
  expect(await audit(network.stage)).toEqual(AT_REST);
});
