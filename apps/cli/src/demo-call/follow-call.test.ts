import { callIdSchema, type CallEventBody, type CallEventType } from '@outdial/contracts';
import { fakeClock } from '@outdial/testkit';
import { describe, expect, test } from 'vitest';
import { createTerminal } from '../terminal/terminal.ts';
import { followCall, type Move } from './follow-call.ts';
import { showMoves } from './show-call.ts';

const ID = callIdSchema.parse('00000000-0000-7000-8000-000000000001');
const START_MS = Date.UTC(2026, 10, 20, 14, 26);

const event = (type: CallEventType, afterMs: number): CallEventBody => ({
  id: String(afterMs),
  at: new Date(START_MS + afterMs).toISOString(),
  type,
  data: {},
});

/** An API whose timeline grows with each reading. */
function scriptedApi(readings: readonly (readonly CallEventBody[])[]) {
  let reading = 0;
  return {
    listEvents: async () => {
      reading += 1;
      return readings.slice(0, reading).flat();
    },
  };
}

describe('a call that is followed', () => {
  test('shows every state once and in order, including states that passed between two readings', async () => {
    const clock = fakeClock();
    const api = scriptedApi([
      [event('queued', 0)],
      [],
      [event('dialing', 40), event('ringing', 60)],
      [event('in_progress', 1_060), event('answered_by', 1_500)],
      [event('ended', 9_000)],
    ]);
    const moves: Move[] = [];
    const followed = (async () => {
      for await (const move of followCall(api, ID, clock, new AbortController().signal)) moves.push(move);
    })();
    for (let reading = 0; reading < 5; reading += 1) await clock.advance(150);
    await followed;
    expect(moves).toEqual(
      [
        ['queued', 0],
        ['dialing', 40],
        ['ringing', 60],
        ['in_progress', 1_060],
        ['ended', 9_000],
      ].map(([status, afterMs]) => ({ status, atMs: START_MS + Number(afterMs) })),
    );
  });

  test('is no longer followed after a stop request', async () => {
    const clock = fakeClock();
    const stop = new AbortController();
    const moves = followCall(scriptedApi([[event('queued', 0)]]), ID, clock, stop.signal);
    expect((await moves.next()).value).toMatchObject({ status: 'queued' });
    stop.abort();
    expect((await moves.next()).done).toBe(true);
  });
});

async function* scriptedMoves(): AsyncGenerator<Move> {
  yield { status: 'queued', atMs: START_MS };
  yield { status: 'dialing', atMs: START_MS + 40 };
  yield { status: 'in_progress', atMs: START_MS + 1_060 };
  yield { status: 'ended', atMs: START_MS + 13_410 };
}

test('the time in each state comes from the timeline, not from the screen', async () => {
  let written = '';
  const terminal = createTerminal({ write: (text) => ((written += text), true) }, {});
  await showMoves({ terminal, clock: fakeClock() }, scriptedMoves());
  expect(written).toBe(
    ['  ✓ queued        for   0.04 s', '  ✓ dialing       for   1.02 s', '  ✓ in_progress   for  12.35 s', ''].join(
      '\n',
    ),
  );
});
