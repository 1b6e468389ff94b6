import { systemClock } from '@outdial/kernel';
import type { ReferralOutcome } from '@outdial/sip';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asJson, numberOf, shuffledTable, startCallee } from '../test/callee.ts';
import { openCaller, type TestCall } from '../test/caller.ts';
import { shareAt, tone } from '../test/sound.ts';

const TABLE = shuffledTable();
const FREE_NUMBER = '+12025550199';

/** What a caller does with each persona, and what it must observe. */
const SCENARIOS: Readonly<Record<string, (call: TestCall) => Promise<void>>> = {
  async friendly(call) {
    await call.turn(1);
    await call.say(tone(2_000));
    await call.turn(2);
    await call.say(tone(900));
    // A short turn is a farewell, and so is its answer.
    const farewell = await call.turn(3);
    expect(farewell.endMs - farewell.startMs).toBeLessThan(900);
    call.hangUp();
    expect(await call.ended()).toMatchObject({ outcome: 'completed', by: 'local', sipCode: 200 });
    expect(call.rang).toEqual([180]);
  },
  async busy(call) {
    expect(await call.ended()).toMatchObject({ outcome: 'refused', sipCode: 486, q850Cause: 17 });
    expect(call.rang).toEqual([]);
  },
  async never_answers(call) {
    expect(await call.ended()).toMatchObject({ outcome: 'no_answer', sipCode: 487 });
    expect(call.rang).toEqual([180]);
  },
  async declines(call) {
    expect(await call.ended()).toMatchObject({ outcome: 'refused', sipCode: 603, q850Cause: 21 });
    expect(call.rang).toEqual([180]);
  },
  async not_in_service(call) {
    expect(await call.ended()).toMatchObject({ outcome: 'refused', sipCode: 404, q850Cause: 1 });
    expect(call.rang).toEqual([183]);
    expect(call.has('answered')).toBe(false);
    // The special information tone, each of its three parts for a third of a second.
    for (const hz of [950, 1_400, 1_800]) expect(framesAt(call, hz)).toBeGreaterThan(10);
  },
  async impatient(call) {
    await call.answered();
    expect(await call.ended()).toMatchObject({ outcome: 'completed', by: 'remote', q850Cause: 16 });
    expect(call.nowMs).toBeGreaterThan(2_500);
    expect(call.nowMs).toBeLessThan(4_500);
  },
  async voicemail(call) {
    await call.answered();
    await call.until(() => framesAt(call, 1_000) >= 20);
    expect(call.nowMs).toBeGreaterThan(5_000);
    const beepMs = call.nowMs;
    await call.until(() => call.nowMs > beepMs + 1_500);
    // A greeting, a beep and silence. The pause before the beep is as long as the one that ends a turn.
    expect(call.turns.at(0)?.startMs).toBeLessThan(2_000);
    expect(call.turns.at(-1)?.endMs).toBeLessThan(beepMs + 600);
    call.hangUp();
    await call.ended();
  },
  async screening(call) {
    await call.turn(1);
    await call.say(tone(1_500));
    expect(await call.ended()).toMatchObject({ outcome: 'completed', by: 'remote', q850Cause: 16 });
    expect(call.turns).toHaveLength(1);
  },
  async silent(call) {
    await call.until(() => call.nowMs > 2_000);
    expect(call.turns).toEqual([]);
    call.hangUp();
    expect(await call.ended()).toMatchObject({ outcome: 'completed', by: 'local' });
  },
  async congested(call) {
    expect(await call.ended()).toMatchObject({
      outcome: 'refused',
      sipCode: 503,
      q850Cause: 42,
      retryAfterSeconds: 30,
    });
  },
  async slow(call) {
    await call.until(() => call.rang.length > 0);
    const ringsAtMs = systemClock.monotonicMs();
    await call.answered();
    // It rings for 8 s; a busy machine reports the ringing late.
    expect(systemClock.monotonicMs() - ringsAtMs).toBeGreaterThan(6_000);
    expect(call.rang).toEqual([183]);
    // Two seconds of the ringing tone came before the answer.
    expect(framesAt(call, 440, 0.3)).toBeGreaterThan(50);
    const rangTurns = call.turns.length;
    await call.turn(rangTurns + 1);
    call.hangUp();
    await call.ended();
  },
  async menu(call) {
    await call.until(() => call.nowMs > 1_500);
    call.press('1');
    const pressedAtMs = call.nowMs;
    // The interrupted prompt, and the person behind the digit: one turn or two.
    await call.until(() => (call.turns.at(-1)?.endMs ?? 0) > pressedAtMs + 1_000);
    expect(call.turns.at(-1)?.endMs).toBeLessThan(pressedAtMs + 4_000);
    const before = call.turns.length;
    await call.say(tone(1_500));
    await call.turn(before + 1);
    call.hangUp();
    await call.ended();
  },
  async unreachable(call) {
    expect(await call.ended()).toMatchObject({ outcome: 'silent', by: 'network', sipCode: null });
    expect(call.rang).toEqual([]);
  },
  async talks_over(call) {
    await call.turn(1);
    const begunAtMs = call.nowMs;
    const said = call.say(tone(6_000));
    await call.until(() => call.turns.length === 2);
    // The callee heard it while the caller was still speaking.
    expect(call.isSpeaking).toBe(true);
    expect(call.turns[1]?.startMs).toBeGreaterThan(begunAtMs);
    await said;
    call.hangUp();
    await call.ended();
  },
  async holds(call) {
    await call.turn(1);
    await call.say(tone(1_500));
    const holds = () => call.events.flatMap((event) => (event.kind === 'media' ? [event.audio] : []));
    await call.until(() => holds().length === 1);
    const heldAtMs = call.nowMs;
    await call.until(() => holds().length === 2);
    expect(holds()).toMatchObject([
      { held: true, direction: 'recvonly' },
      { held: false, direction: 'sendrecv' },
    ]);
    expect(call.nowMs - heldAtMs).toBeGreaterThan(2_500);
    await call.until(() => (call.turns.at(-1)?.startMs ?? 0) > heldAtMs + 2_500);
    call.hangUp();
    await call.ended();
  },
  async opts_out(call) {
    await call.turn(1);
    await call.say(tone(1_500));
    await call.until(() => call.pressed !== '');
    expect(call.pressed).toBe('9');
    call.hangUp();
    await call.ended();
  },
  async objects(call) {
    await call.turn(1);
    await call.say(tone(1_500));
    const objection = await call.turn(2);
    expect(objection.endMs - objection.startMs).toBeGreaterThan(1_000);
    call.hangUp();
    await call.ended();
  },
  async refuses_transfer(call) {
    await refers(call, { kind: 'refused', sipCode: 603 });
  },
  async forbids_transfer(call) {
    await refers(call, { kind: 'refused', sipCode: 405 });
  },
  async ignores_transfer(call) {
    await refers(call, { kind: 'unreported' });
  },
  async unassigned(call) {
    expect(await call.ended()).toMatchObject({ outcome: 'refused', sipCode: 404, q850Cause: 1 });
    expect(call.rang).toEqual([]);
  },
};

/** The caller refers the callee after its greeting. */
async function refers(call: TestCall, outcome: ReferralOutcome): Promise<void> {
  await call.turn(1);
  const target = 'sip:+12025550142@127.0.0.1';
  call.refer({ target, referredBy: 'sip:+12025550199@127.0.0.1', timeoutMs: 1_000 });
  await call.until(() => call.has('referral'));
  expect(call.events.findLast(({ kind }) => kind === 'referral')).toEqual({ kind: 'referral', outcome, target });
  call.hangUp();
  await call.ended();
}

/** How many of the frames heard are a tone. */
function framesAt(call: TestCall, hz: number, share = 0.8): number {
  return call.heard.filter((frame) => shareAt(frame, hz) > share).length;
}

/** SIP at forty times real speed: timer B is 0.8 s, four times what a live callee needs for its 100. */
const FAST = {
  ...systemClock,
  monotonicMs: () => systemClock.monotonicMs() * 40,
  after: (delayMs: number, callback: () => void) => systemClock.after(delayMs / 40, callback),
};

/** Every scenario over one transport, all at once: together they take as long as the longest. */
async function runAll(transport: 'udp' | 'tcp') {
  const network = await startCallee({ OUTDIAL_CALLEE_TABLE: asJson(TABLE) });
  const caller = await openCaller({ sipPort: network.sipPort, transport });
  const hurried = await openCaller({ sipPort: network.sipPort, transport, clock: FAST });
  const running = new Map<string, Promise<void>>();
  for (const [name, scenario] of Object.entries(SCENARIOS)) {
    const number = name === 'unassigned' ? FREE_NUMBER : numberOf(TABLE, name);
    const from = name === 'unreachable' ? hurried : caller;
    const changes = name === 'never_answers' ? { ringTimeoutMs: 4_000 } : {};
    const run = from.call(number, changes).then(scenario);
    // Its own test reports the failure.
    run.catch(() => undefined);
    running.set(name, run);
  }
  const close = async (): Promise<void> => {
    await Promise.all([caller.close(), hurried.close()]);
    await network.stop();
  };
  return { running, close };
}

const TRANSPORTS = ['udp', 'tcp'] as const;
const runs = new Map<string, Awaited<ReturnType<typeof runAll>>>();
beforeAll(async () => {
  await Promise.all(TRANSPORTS.map(async (transport) => runs.set(transport, await runAll(transport))));
});
afterAll(async () => {
  await Promise.all([...runs.values()].map((run) => run.close()));
});

describe.each(TRANSPORTS)('over %s, with the table shuffled,', (transport) => {
  it.each([...new Set(TABLE.values()), 'unassigned'])('%s behaves as its name says', async (name) => {
    const run = runs.get(transport)?.running.get(name);
    expect(run).toBeDefined();
    await run;
  });
});
