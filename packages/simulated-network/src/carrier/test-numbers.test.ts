import { loudStretches } from '@outdial/telephony/testing';
import { describe, expect, it } from 'vitest';
import { placeCall, type CallRecord } from '../../test/call.ts';
import { plainAgents, TALK, type Move } from '../../test/plain-agent.ts';
import { TEST_NUMBERS, type NumberTable } from '../personas/test-numbers.ts';

const MESSAGE: readonly Move[] = [
  { kind: 'await_turn', quietMs: 1_000 },
  { kind: 'say', ms: 3_000 },
  { kind: 'hang_up', reason: 'voicemail_reached' },
];
const SCREENED: readonly Move[] = [
  { kind: 'await_turn', quietMs: 700 },
  { kind: 'say', ms: 1_500 },
];
const PRESS_ONE: readonly Move[] = [{ kind: 'await_turn', quietMs: 700 }, { kind: 'press', digits: '1' }, ...TALK];
const OPTED_OUT: readonly Move[] = [
  { kind: 'await_turn', quietMs: 400 },
  { kind: 'say', ms: 2_000 },
  { kind: 'await_key' },
  { kind: 'say', ms: 1_500 },
  { kind: 'hang_up', reason: 'opted_out' },
];
const LISTEN: readonly Move[] = [{ kind: 'await_any', ms: 8_000 }];

interface Expectation {
  readonly suffix: string;
  readonly moves: readonly Move[];
  readonly end: Partial<CallRecord['end']>;
  readonly hangUp?: string;
  readonly kinds: readonly string[];
}

const ANSWERED = ['dialog', 'ringing', 'answered', 'ended'];
const byUs = { outcome: 'completed', by: 'us', sipCode: 200 } as const;
const byCallee = { outcome: 'completed', by: 'callee', sipCode: 200 } as const;

const TABLE: readonly Expectation[] = [
  { suffix: '0100', moves: TALK, end: byUs, hangUp: 'agent_hangup', kinds: ANSWERED },
  { suffix: '0101', moves: TALK, end: { outcome: 'busy', by: 'callee', sipCode: 486 }, kinds: ['dialog', 'ended'] },
  {
    suffix: '0102',
    moves: TALK,
    end: { outcome: 'no_answer', by: 'callee', sipCode: 487 },
    kinds: ['dialog', 'ringing', 'ended'],
  },
  {
    suffix: '0103',
    moves: TALK,
    end: { outcome: 'declined', by: 'callee', sipCode: 603 },
    kinds: ['dialog', 'ringing', 'ended'],
  },
  {
    suffix: '0104',
    moves: TALK,
    end: { outcome: 'invalid_destination', by: 'carrier', sipCode: 404 },
    kinds: ['dialog', 'ringing', 'ended'],
  },
  { suffix: '0105', moves: TALK, end: byCallee, kinds: ANSWERED },
  { suffix: '0106', moves: MESSAGE, end: byUs, hangUp: 'voicemail_reached', kinds: ANSWERED },
  { suffix: '0107', moves: SCREENED, end: byCallee, kinds: ANSWERED },
  { suffix: '0108', moves: LISTEN, end: byUs, hangUp: 'silence_timeout', kinds: ANSWERED },
  {
    suffix: '0109',
    moves: TALK,
    end: { outcome: 'unavailable', by: 'carrier', sipCode: 503, retryAfterSeconds: 30 },
    kinds: ['dialog', 'ended'],
  },
  { suffix: '0110', moves: TALK, end: byUs, hangUp: 'agent_hangup', kinds: ANSWERED },
  { suffix: '0111', moves: PRESS_ONE, end: byUs, hangUp: 'agent_hangup', kinds: ANSWERED },
  {
    suffix: '0112',
    moves: TALK,
    end: { outcome: 'unavailable', by: 'carrier', sipCode: null },
    kinds: ['dialog', 'ended'],
  },
  { suffix: '0113', moves: TALK, end: byUs, hangUp: 'agent_hangup', kinds: ANSWERED },
  {
    suffix: '0114',
    moves: TALK,
    end: byUs,
    hangUp: 'agent_hangup',
    kinds: ['dialog', 'ringing', 'answered', 'on_hold', 'on_hold', 'ended'],
  },
  { suffix: '0115', moves: OPTED_OUT, end: byUs, hangUp: 'opted_out', kinds: ANSWERED },
  { suffix: '0116', moves: TALK, end: byUs, hangUp: 'agent_hangup', kinds: ANSWERED },
  { suffix: '0117', moves: TALK, end: byUs, hangUp: 'agent_hangup', kinds: ANSWERED },
  { suffix: '0118', moves: TALK, end: byUs, hangUp: 'agent_hangup', kinds: ANSWERED },
  { suffix: '0119', moves: TALK, end: byUs, hangUp: 'agent_hangup', kinds: ANSWERED },
  {
    suffix: '0177',
    moves: TALK,
    end: { outcome: 'invalid_destination', by: 'carrier', sipCode: 404 },
    kinds: ['dialog', 'ended'],
  },
];

function expectAsPromised(call: CallRecord, { end, kinds, hangUp }: Expectation): void {
  expect(call.errors).toEqual([]);
  expect(call.legEvents.map(({ kind }) => kind)).toEqual(kinds);
  expect(call.end).toMatchObject(end);
  const hangUps = call.conversationEvents.flatMap((event) => (event.kind === 'hang_up' ? [event.reason] : []));
  expect(hangUps).toEqual(hangUp === undefined ? [] : [hangUp]);
  expect(call.dialled).toHaveLength(1);
  const wasAnswered = kinds.includes('answered');
  expect(call.result.recordingKey).toBe(wasAnswered ? call.callId : null);
  expect(call.result.transcript === null).toBe(!wasAnswered);
}

describe('the test numbers, through carrier and conversation', () => {
  it.each(TABLE)('+1 202 555 $suffix behaves as the table says', async (expectation) => {
    const call = await placeCall(`+1202555${expectation.suffix}`, { agents: plainAgents(expectation.moves) });
    expectAsPromised(call, expectation);
  });

  it.each(TABLE)('+1 202 555 $suffix behaves the same 20 times faster', async (expectation) => {
    const plan = { agents: plainAgents(expectation.moves), speed: 20 };
    expectAsPromised(await placeCall(`+1202555${expectation.suffix}`, plan), expectation);
  });

  it('have results that follow the persona, not the digits', async () => {
    const personas = [...TEST_NUMBERS.values()];
    const numbers = [...TEST_NUMBERS.keys()];
    // Every persona moves up by one number.
    const shuffled: NumberTable = new Map(
      personas.map((persona, at) => [numbers[(at + 1) % numbers.length] ?? '', persona]),
    );
    for (const [at, expectation] of TABLE.slice(0, personas.length).entries()) {
      const plan = { agents: plainAgents(expectation.moves), table: shuffled, speed: 20 };
      expectAsPromised(await placeCall(numbers[(at + 1) % numbers.length] ?? '', plan), expectation);
    }
  });
});

const callTo = (suffix: string, moves: readonly Move[]) =>
  placeCall(`+1202555${suffix}`, { agents: plainAgents(moves) });

describe('what the callees sound like', () => {
  it('a person greets briefly and then listens', async () => {
    const { callee } = await callTo('0100', TALK);
    const [greeting, reply] = loudStretches(callee);
    expect(greeting?.endMs).toBeLessThan(1_500);
    expect((reply?.startMs ?? 0) - (greeting?.endMs ?? 0)).toBeGreaterThan(2_000);
  });

  it('a person answers every turn of the agent, and not before it has ended', async () => {
    const { callee, agent } = await callTo('0100', TALK);
    const replies = loudStretches(callee).slice(1);
    const turns = loudStretches(agent);
    expect(turns).toHaveLength(3);
    expect(replies).toHaveLength(3);
    for (const [at, turn] of turns.entries()) expect(replies[at]?.startMs).toBeGreaterThan(turn.endMs + 600);
  });

  it('a voicemail greets for more than 4 s, beeps at 1000 Hz within 1.5 s, and is silent', async () => {
    const { callee } = await callTo('0106', MESSAGE);
    const [greeting, beep, ...rest] = loudStretches(callee);
    expect((greeting?.endMs ?? 0) - (greeting?.startMs ?? 0)).toBeGreaterThan(4_000);
    expect((beep?.startMs ?? 0) - (greeting?.endMs ?? 0)).toBeLessThan(1_500);
    expect((beep?.endMs ?? 0) - (beep?.startMs ?? 0)).toBe(500);
    const samples = callee.subarray((beep?.startMs ?? 0) * 8, (beep?.endMs ?? 0) * 8);
    const crossings = samples.filter((sample, at) => sample >= 0 && (samples[at - 1] ?? 0) < 0).length;
    expect(crossings).toBeGreaterThanOrEqual(498);
    expect(crossings).toBeLessThanOrEqual(501);
    expect(rest).toEqual([]);
  });

  it('a screening asks once and leaves at least 4 s for the answer', async () => {
    const { callee } = await callTo('0107', []);
    const stretches = loudStretches(callee);
    expect(stretches).toHaveLength(1);
    expect(callee.length / 8 - (stretches[0]?.endMs ?? 0)).toBeGreaterThan(4_000);
  });

  it('a menu repeats itself after 4 s without a digit, and gives up', async () => {
    const { callee, end } = await callTo('0111', []);
    const prompts = loudStretches(callee);
    expect(prompts).toHaveLength(5);
    expect((prompts[1]?.startMs ?? 0) - (prompts[0]?.endMs ?? 0)).toBeGreaterThanOrEqual(4_000);
    expect(end).toMatchObject(byCallee);
  });

  it('a menu stops talking when a digit is pressed, and rejects a wrong one', async () => {
    const wrong: readonly Move[] = [
      { kind: 'await_any', ms: 1_000 },
      { kind: 'press', digits: '7' },
    ];
    const { callee } = await callTo('0111', wrong);
    const [cutShort, refusal, prompt] = loudStretches(callee).map(({ startMs, endMs }) => endMs - startMs);
    expect(cutShort).toBeLessThan(500);
    expect(refusal).toBe('Sorry, that is not a valid choice.'.length * 60);
    expect(prompt).toBeGreaterThan(4_000);
  });

  it('no audio passes while the call is on hold', async () => {
    const { callee, legEvents } = await callTo('0114', TALK);
    expect(legEvents.flatMap((event) => (event.kind === 'on_hold' ? [event.isOnHold] : []))).toEqual([true, false]);
    const [, holdOn, back] = loudStretches(callee);
    expect((back?.startMs ?? 0) - (holdOn?.endMs ?? 0)).toBe(3_000);
  });

  it('a callee that opts out presses its key once the agent has finished, and says nothing', async () => {
    const { callee, agent } = await callTo('0115', OPTED_OUT);
    expect(loudStretches(callee)).toHaveLength(1);
    const [first, confirmation] = loudStretches(agent);
    expect((confirmation?.startMs ?? 0) - (first?.endMs ?? 0)).toBeGreaterThan(600);
  });

  it('a callee that talks over the agent makes it stop', async () => {
    const { result, agent } = await callTo('0113', TALK);
    expect(result.transcript?.map(({ interrupted }) => interrupted)).toEqual([true, true, false]);
    const [first] = loudStretches(agent);
    expect((first?.endMs ?? 0) - (first?.startMs ?? 0)).toBeLessThan(1_200);
  });
});
