import { ManualClock } from '@outdial/testkit/async';
import { expect, test } from 'vitest';
import type { HistoryItem, Mind, MindEvent } from './mind.ts';
import { openReconnectingMind } from './reconnecting-mind.ts';

const HOUR_MS = 3_600_000;
const RENEW_AFTER_MS = 55 * 60_000;
const MINUTE_MS = 60_000;
const FRAME = new Uint8Array(320);

interface Opened {
  readonly history: readonly HistoryItem[];
  readonly emit: (event: MindEvent) => void;
  /** What reached it. */
  readonly done: string[];
}

/** A mind over connections that do what the test says. */
function renewedMind() {
  const clock = new ManualClock();
  const opened: Opened[] = [];
  const events: MindEvent[] = [];
  const open = ({ history, listener: emit }: { history: readonly HistoryItem[]; listener: Opened['emit'] }): Mind => {
    const done: string[] = [];
    opened.push({ history, emit, done });
    const note = (what: string) => () => void done.push(what);
    return {
      hear: note('hear'),
      openGate: note('openGate'),
      say: note('say'),
      respond: note('respond'),
      instruct: note('instruct'),
      cut: note('cut'),
      pressed: note('pressed'),
      toolResult: note('toolResult'),
      callOver: async () => undefined,
      close: note('close'),
    };
  };
  const mind = openReconnectingMind({
    clock,
    open: [open],
    listener: (event) => events.push(event),
    renewAfterMs: RENEW_AFTER_MS,
  });
  const connection = (nth: number): Opened => {
    const found = opened[nth];
    if (found === undefined) throw new Error(`there is no connection ${nth}`);
    return found;
  };
  const pass = (ms: number): void => {
    clock.turn(ms);
    mind.hear(FRAME, clock.nowMs());
  };
  connection(0).emit({ kind: 'ready' });
  mind.openGate();
  return { mind, events, opened, connection, pass };
}

const said = (text: string): MindEvent => ({ kind: 'callee_said', turn: 't', text, startMs: 0, endMs: 500 });

test('a connection is replaced in a pause before its provider ends it, and the call notices nothing', () => {
  const { mind, events, opened, connection, pass } = renewedMind();
  connection(0).emit(said('Hello?'));
  pass(RENEW_AFTER_MS - 1);
  expect(opened).toHaveLength(1);
  pass(1);
  expect(connection(1).history).toEqual([{ kind: 'callee', text: 'Hello?' }]);
  // Until the new one is ready, the old one hears and answers.
  pass(20);
  expect([connection(0), connection(1)].map(({ done }) => done.at(-1))).toEqual(['hear', 'hear']);
  connection(1).emit({ kind: 'ready' });
  expect(connection(0).done.at(-1)).toBe('close');
  expect(connection(1).done.at(-1)).toBe('openGate');
  mind.respond();
  expect(connection(1).done.at(-1)).toBe('respond');
  connection(0).emit({
    kind: 'failed',
    failure: { component: 'realtime', kind: 'dropped', message: '', retryAfterMs: null },
  });
  expect(events.map(({ kind }) => kind)).toEqual(['ready', 'callee_said']);
});

test('a call of two hours replaces its connection each time', () => {
  const { opened, connection, pass } = renewedMind();
  for (let ms = 0; ms < 2 * HOUR_MS; ms += MINUTE_MS) {
    pass(MINUTE_MS);
    connection(opened.length - 1).emit({ kind: 'ready' });
  }
  expect(opened).toHaveLength(3);
});

test.each<[string, (emit: (event: MindEvent) => void, mind: Mind) => void, (emit: Opened['emit'], mind: Mind) => void]>(
  [
    ['the callee speaks', (emit) => emit({ kind: 'callee_speaking', atMs: 0 }), (emit) => emit(said('Yes.'))],
    [
      'an answer is under way',
      (_, mind) => mind.respond(),
      (emit) => emit({ kind: 'answer_over', outcome: 'completed', empty: false }),
    ],
    [
      'a tool runs',
      (emit) => emit({ kind: 'tool_call', id: 'one', name: 'lookup', argumentsText: '{}' }),
      (_, mind) => mind.toolResult({ id: 'one', output: '', answer: false }),
    ],
  ],
)('a connection is kept while %s', (_, begin, end) => {
  const { mind, opened, connection, pass } = renewedMind();
  begin(connection(0).emit, mind);
  pass(RENEW_AFTER_MS);
  expect(opened).toHaveLength(1);
  end(connection(0).emit, mind);
  pass(20);
  expect(opened).toHaveLength(2);
});

test('a new connection that missed something is given up for another one', () => {
  const { mind, opened, connection, pass } = renewedMind();
  pass(RENEW_AFTER_MS);
  mind.respond();
  expect(connection(1).done.at(-1)).toBe('close');
  connection(1).emit({ kind: 'ready' });
  expect(connection(0).done.at(-1)).toBe('respond');
  connection(0).emit({ kind: 'answer_over', outcome: 'completed', empty: false });
  pass(20);
  expect(opened).toHaveLength(3);
});

test('a new connection that fails costs nothing, and is tried again after a minute', () => {
  const { events, opened, connection, pass } = renewedMind();
  pass(RENEW_AFTER_MS);
  connection(1).emit({
    kind: 'failed',
    failure: { component: 'realtime', kind: 'unreachable', message: '', retryAfterMs: null },
  });
  pass(MINUTE_MS - 20);
  expect(opened).toHaveLength(2);
  pass(20);
  expect(opened).toHaveLength(3);
  expect(events.map(({ kind }) => kind)).toEqual(['ready']);
});
