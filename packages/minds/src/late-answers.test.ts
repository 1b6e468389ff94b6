import { EventEmitter, once } from 'node:events';
import { ManualClock } from '@outdial/testkit/async';
import { describe, expect, test } from 'vitest';
import type { HistoryItem, MindEvent, ProviderFailure, UsageEntry } from './mind.ts';
import type { ConnectedMind } from './connections.ts';
import { openReconnectingMind } from './reconnecting-mind.ts';

interface Opened {
  readonly choice: string;
  readonly history: readonly HistoryItem[];
  readonly emit: (event: MindEvent) => void;
  /** What reached it. */
  readonly done: string[];
  /** It has reported all that it bills. */
  readonly settle: () => void;
}

/** A mind with fallbacks; the test is its providers. */
function setUp({ choices = ['first', 'fallback'], mayStaySilent = false } = {}) {
  const clock = new ManualClock();
  const opened: Opened[] = [];
  const events: MindEvent[] = [];
  const open =
    (choice: string) =>
    ({
      history,
      listener,
    }: {
      history: readonly HistoryItem[];
      listener: (event: MindEvent) => void;
    }): ConnectedMind => {
      const done: string[] = [];
      let isClosed = false;
      const reports = new EventEmitter();
      const settled = once(reports, 'all').then(() => undefined);
      const settle = () => void reports.emit('all');
      const emit = (event: MindEvent) => {
        if (!isClosed) listener(event);
      };
      opened.push({ choice, history, emit, done, settle });
      const note = (what: string) => void done.push(what);
      return {
        hear: () => note('hear'),
        openGate: () => note('openGate'),
        say: (text) => note(`say ${text}`),
        respond: (hint) => note(hint === undefined ? 'respond' : `respond ${hint}`),
        instruct: (text) => note(`instruct ${text}`),
        cut: () => note('cut'),
        pressed: (digits) => note(`pressed ${digits}`),
        toolResult: () => note('toolResult'),
        callOver: () => {
          note('callOver');
          return settled;
        },
        close() {
          if (!isClosed) note('close');
          isClosed = true;
        },
        outrun: () => note('outrun'),
      };
    };
  const mind = openReconnectingMind({
    clock,
    open: choices.map(open),
    listener: (event) => events.push(event),
    mayStaySilent: () => mayStaySilent,
  });
  const at = (nth: number): Opened => {
    const found = opened[nth];
    if (found === undefined) throw new Error(`there is no connection ${nth}`);
    return found;
  };
  at(0).emit({ kind: 'ready' });
  mind.openGate();
  const of = <Kind extends MindEvent['kind']>(kind: Kind) =>
    events.filter((event): event is Extract<MindEvent, { kind: Kind }> => event.kind === kind);
  return { clock, mind, opened, events, at, of };
}

const SOUND = new Uint8Array(320);
const sound = (item: string): MindEvent => ({ kind: 'sound', item, ulaw: SOUND });
const words = (item: string, text: string): MindEvent => ({ kind: 'words', item, text });
const said = (text: string, startMs = 0, endMs = 500): MindEvent => ({
  kind: 'callee_said',
  turn: `turn ${startMs}`,
  text,
  startMs,
  endMs,
});
const over: MindEvent = { kind: 'answer_over', outcome: 'completed', empty: false };
const usage = (provider: string, quantity: number): MindEvent => {
  const entry: UsageEntry = { component: 'realtime', provider, model: 'm', unit: 'output_audio_token', quantity };
  return { kind: 'usage', entries: [entry] };
};
const failure = (kind: ProviderFailure['kind'], retryAfterMs: number | null = null): ProviderFailure => ({
  component: 'realtime',
  kind,
  message: kind,
  retryAfterMs,
});

/** The callee has asked something, and the answer is late. */
function late(options?: Parameters<typeof setUp>[0]) {
  const call = setUp(options);
  call.at(0).emit(said('Is there a slot?'));
  call.mind.late();
  return call;
}

describe('an answer that is late', () => {
  test('is asked of the fallback, which knows what was said, and the first choice is still heard', () => {
    const { at, events, mind } = late();
    expect(at(1).choice).toBe('fallback');
    expect(at(1).history).toEqual([{ kind: 'callee', text: 'Is there a slot?' }]);
    expect(at(1).done).toEqual(['openGate', 'respond']);
    mind.hear(SOUND, 500);
    expect([at(0).done.at(-1), at(1).done.at(-1)]).toEqual(['hear', 'hear']);
    expect(events.map(({ kind }) => kind)).toEqual(['ready', 'callee_said']);
  });

  test('is the fallback’s if it sounds first: the other is never heard, and both are charged once', async () => {
    const { at, mind, events, of, clock } = late();
    at(1).emit({ kind: 'ready' });
    at(1).emit(words('b', 'At nine.'));
    expect(of('words')).toEqual([]);
    at(1).emit(sound('b'));
    expect(of('recovered')).toMatchObject([{ failure: { kind: 'unreachable' } }]);
    expect(at(0).done.slice(-2)).toEqual(['outrun', 'callOver']);
    at(0).emit(words('a', 'At ten.'));
    at(0).emit(sound('a'));
    at(0).emit(said('Is there a slot?', 100, 600));
    at(0).emit(usage('first', 7));
    at(0).settle();
    await clock.turnGently(0);
    expect(at(0).done.at(-1)).toBe('close');
    at(1).emit({ kind: 'item_over', item: 'b' });
    at(1).emit(usage('fallback', 9));
    at(1).emit(over);
    expect(of('sound').map(({ item }) => item)).toEqual(['b']);
    expect(of('words').map(({ text }) => text)).toEqual(['At nine.']);
    expect(of('callee_said')).toHaveLength(1);
    expect(of('usage').flatMap(({ entries }) => entries.map(({ quantity }) => quantity))).toEqual([7, 9]);
    // The call goes on with the fallback.
    mind.respond();
    expect(at(1).done.at(-1)).toBe('respond');
    expect(events.at(-1)).toEqual(over);
  });

  test('is the first choice’s if that sounds first, and the fallback is ended once its usage is known', async () => {
    const { at, of, mind, clock } = late();
    at(1).emit({ kind: 'ready' });
    at(1).emit(words('b', 'At nine.'));
    at(0).emit(sound('a'));
    at(1).emit(sound('b'));
    at(1).emit(usage('fallback', 9));
    expect(at(1).done).toContain('callOver');
    expect(at(0).done).not.toContain('outrun');
    at(1).settle();
    await clock.turnGently(0);
    expect(at(1).done.at(-1)).toBe('close');
    expect(of('sound').map(({ item }) => item)).toEqual(['a']);
    expect(of('recovered')).toEqual([]);
    expect(of('usage')).toHaveLength(1);
    mind.respond();
    expect(at(0).done.at(-1)).toBe('respond');
  });

  test.each(['answer_over', 'failed', 'answer_failed'] as const)(
    'is asked of no further fallback once a race is over: a runner that left ends with %s',
    (end) => {
      const last: Readonly<Record<typeof end, MindEvent>> = {
        answer_over: { kind: 'answer_over', outcome: 'cancelled', empty: true },
        failed: { kind: 'failed', failure: failure('dropped') },
        answer_failed: { kind: 'answer_failed', failure: failure('unreachable') },
      };
      const choices = ['first', 'second', 'third'];
      const lost = late({ choices });
      lost.at(0).emit(sound('a'));
      lost.at(1).emit(last[end]);
      expect(lost.opened).toHaveLength(2);
      const ended = late({ choices });
      void ended.mind.callOver();
      ended.at(1).emit(last[end]);
      expect(ended.opened).toHaveLength(2);
      const won = late({ choices });
      won.at(1).emit(sound('b'));
      won.at(1).emit({ kind: 'answer_failed', failure: failure('rejected') });
      expect(won.at(2).choice).toBe('third');
      won.at(1).emit(last[end]);
      expect(won.opened).toHaveLength(3);
    },
  );

  test('that begins while the mind learns that it is late is not raced', () => {
    const { at, mind, opened } = setUp();
    at(0).emit(said('Is there a slot?'));
    at(0).emit(sound('a'));
    at(0).emit(over);
    mind.late();
    expect(opened).toHaveLength(1);
    // A tool is called once.
    at(0).emit(said('And another?', 600, 900));
    at(0).emit({ kind: 'tool_call', id: 'c', name: 'lookup', argumentsText: '{}' });
    at(0).emit(over);
    mind.late();
    expect(opened).toHaveLength(1);
    mind.toolResult({ id: 'c', output: '{}', answer: true });
    mind.late();
    expect(opened).toHaveLength(2);
  });

  test('is raced if the ear alone has heard the callee, or an answer was cut', () => {
    const deaf = setUp();
    deaf.at(0).emit(sound('a'));
    deaf.at(0).emit(over);
    deaf.mind.calleeSpeech?.({ kind: 'began', atMs: 900 });
    deaf.mind.late();
    expect(deaf.opened).toHaveLength(2);
    const cut = setUp();
    cut.at(0).emit(sound('a'));
    cut.at(0).emit({ kind: 'callee_speaking', atMs: 900 });
    cut.at(0).emit(sound('a'));
    cut.at(0).emit({ kind: 'answer_over', outcome: 'cancelled', empty: false });
    cut.mind.late();
    expect(cut.opened).toHaveLength(2);
  });

  test('is the fallback’s too if it begins with a tool call', () => {
    const { at, of } = late();
    at(1).emit({ kind: 'ready' });
    at(1).emit({ kind: 'tool_call', id: 'c', name: 'lookup', argumentsText: '{}' });
    expect(of('tool_call')).toHaveLength(1);
    expect(at(0).done).toContain('outrun');
  });

  test('is asked for in the same words', () => {
    const { at, mind } = setUp();
    mind.say('Good morning.');
    mind.late();
    expect(at(1).done).toEqual(['openGate', 'say Good morning.']);
    // What is asked for while they race is asked of both.
    mind.respond('Go on.');
    expect(at(1).done.at(-1)).toBe('respond Go on.');
  });

  test('whose words came without a sound is asked for again, and those words are no part of the conversation', () => {
    const { at, mind, of } = setUp();
    mind.respond('Greet.');
    at(0).emit(words('a', 'Good '));
    mind.late();
    expect(at(1).done).toEqual(['openGate', 'respond Greet.']);
    at(1).emit({ kind: 'ready' });
    at(1).emit(sound('b'));
    expect(of('item_over')).toEqual([{ kind: 'item_over', item: 'a', isLost: true }]);
    at(1).emit(words('b', 'Hello.'));
    at(1).emit({ kind: 'failed', failure: failure('dropped') });
    expect(at(2).history).toEqual([{ kind: 'agent', text: 'Hello.' }]);
  });

  test('to words that are not understood yet: the fallback hears them, and they are one turn', () => {
    const { at, mind, of } = setUp();
    mind.hear(SOUND, 0);
    at(0).emit({ kind: 'callee_speaking', atMs: 0 });
    mind.late();
    expect(at(1).done).toEqual(['hear', 'openGate']);
    at(1).emit({ kind: 'ready' });
    at(1).emit({ kind: 'callee_speaking', atMs: 0 });
    at(1).emit(said('Is there a slot?'));
    at(0).emit(said('Is there a slot?'));
    at(1).emit(said('On Tuesday?', 600, 900));
    at(1).emit(sound('b'));
    expect(of('callee_speaking')).toHaveLength(1);
    expect(of('callee_said').map(({ text }) => text)).toEqual(['Is there a slot?', 'On Tuesday?']);
  });

  test('is the fallback’s if the first choice fails, which is then not tried again', () => {
    const { at, opened, of } = late();
    at(0).emit({ kind: 'failed', failure: failure('dropped') });
    at(1).emit({ kind: 'ready' });
    at(1).emit(sound('b'));
    expect(opened).toHaveLength(2);
    expect(of('failed')).toEqual([]);
    expect(of('recovered')).toMatchObject([{ failure: { kind: 'dropped' } }]);
    expect(of('sound')).toHaveLength(1);
  });

  test('is asked of the next fallback if one fails or has nothing to say, and is awaited still if none is left', () => {
    const { at, opened, of } = late({ choices: ['first', 'second', 'third'] });
    at(1).emit({ kind: 'failed', failure: failure('unreachable') });
    expect(at(2).choice).toBe('third');
    at(2).emit({ kind: 'ready' });
    at(2).emit({ kind: 'answer_over', outcome: 'completed', empty: true });
    expect(opened).toHaveLength(3);
    at(0).emit(sound('a'));
    expect(of('sound')).toHaveLength(1);
    expect(of('failed')).toEqual([]);
  });

  test('is awaited without a race where there is no fallback', () => {
    const { opened, at, of } = late({ choices: ['first'] });
    expect(opened).toHaveLength(1);
    at(0).emit(sound('a'));
    expect(of('sound')).toHaveLength(1);
  });

  test('is raced later of a model that may choose silence, and not at all once it has chosen', () => {
    const waiting = late({ mayStaySilent: true });
    expect(waiting.opened).toHaveLength(1);
    waiting.clock.turn(1_500);
    expect(waiting.opened).toHaveLength(2);
    const silent = late({ mayStaySilent: true });
    silent.at(0).emit({ kind: 'answer_over', outcome: 'completed', empty: true });
    silent.clock.turn(1_500);
    expect(silent.opened).toHaveLength(1);
  });

  test('ends with the call on both sides, 2 s after it for a provider that reports nothing', async () => {
    const raced = late();
    raced.mind.close();
    expect(raced.opened.map(({ done }) => done.at(-1))).toEqual(['close', 'close']);
    expect(raced.clock.pendingTimers).toBe(0);
    const won = late();
    won.at(1).emit(sound('b'));
    const isOver = won.mind.callOver();
    won.at(1).settle();
    await won.clock.turnGently(2_000, 500);
    await isOver;
    expect(won.at(0).done.at(-1)).toBe('close');
  });
});

const limited = (retryAfterMs: number | null = 300): MindEvent => ({
  kind: 'answer_failed',
  failure: failure('rate_limited', retryAfterMs),
});

describe('an answer that fails while its session stays', () => {
  test('is asked for once more after the time that the provider names, in the same words', () => {
    const { at, mind, clock, opened, of } = setUp();
    mind.say('Good morning.');
    at(0).emit(limited());
    expect(of('answer_failed')).toMatchObject([{ isRetried: true }]);
    clock.turn(299);
    expect(at(0).done).toEqual(['openGate', 'say Good morning.']);
    clock.turn(1);
    expect(at(0).done.slice(1)).toEqual(['say Good morning.', 'say Good morning.']);
    at(0).emit(sound('a'));
    at(0).emit(over);
    expect(opened).toHaveLength(1);
    // The next answer has its own second chance.
    at(0).emit(said('Yes?'));
    at(0).emit(limited());
    clock.turn(300);
    expect(at(0).done.at(-1)).toBe('respond');
  });

  test('is asked for again alone: what was asked for in between is asked for once', () => {
    const { at, mind, clock } = setUp();
    mind.say('Good morning.');
    at(0).emit(limited());
    clock.turn(100);
    mind.respond('Go on.');
    clock.turn(200);
    expect(at(0).done.slice(1)).toEqual(['say Good morning.', 'respond Go on.', 'say Good morning.']);
  });

  test.each([
    ['before', 100],
    ['after', 300],
  ])('is asked for again alone: what waits for its turn sounds %s that, and is said once', (_, soundsAtMs) => {
    const { at, mind, clock } = setUp();
    mind.say('Good morning.');
    mind.say('Is this a good time?');
    at(0).emit(limited());
    clock.turn(soundsAtMs);
    // The provider goes on with the next request by itself.
    at(0).emit(sound('b'));
    at(0).emit(over);
    clock.turn(300 - soundsAtMs);
    expect(at(0).done.slice(1)).toEqual(['say Good morning.', 'say Is this a good time?', 'say Good morning.']);
    at(0).emit({ kind: 'failed', failure: failure('dropped') });
    expect(at(1).done).toEqual(['openGate', 'say Good morning.']);
  });

  test('of the callee’s own turn is asked for once, while what was asked for before waits', () => {
    const { at, mind, clock } = setUp();
    mind.say('Good morning.');
    at(0).emit(sound('a'));
    mind.say('Is this a good time?');
    at(0).emit(limited());
    at(0).emit(sound('b'));
    at(0).emit(over);
    clock.turn(300);
    expect(at(0).done.slice(1)).toEqual(['say Good morning.', 'say Is this a good time?']);
  });

  test('has its second chance again with the fallback that has won a race', () => {
    const { at, mind, clock } = setUp();
    mind.say('Good morning.');
    at(0).emit(limited());
    clock.turn(300);
    mind.late();
    at(1).emit({ kind: 'ready' });
    at(1).emit(sound('b'));
    at(1).emit(over);
    mind.say('Is this a good time?');
    at(1).emit(limited());
    clock.turn(300);
    expect(at(1).done.slice(-2)).toEqual(['say Is this a good time?', 'say Is this a good time?']);
  });

  test('is not asked for again once another answer begins or follows', () => {
    const speaks = setUp();
    speaks.at(0).emit(said('Is there a slot?'));
    speaks.at(0).emit(limited());
    speaks.at(0).emit({ kind: 'callee_speaking', atMs: 600 });
    speaks.clock.turn(300);
    expect(speaks.at(0).done).toEqual(['openGate']);
    const asked = setUp();
    asked.at(0).emit(said('Is there a slot?'));
    asked.at(0).emit(limited());
    asked.mind.say('Are you there?');
    asked.clock.turn(300);
    expect(asked.at(0).done).toEqual(['openGate', 'say Are you there?']);
    const answered = setUp();
    answered.mind.respond();
    answered.at(0).emit(limited());
    answered.at(0).emit(sound('a'));
    answered.at(0).emit(over);
    answered.clock.turn(300);
    expect(answered.at(0).done).toEqual(['openGate', 'respond']);
    expect(answered.clock.pendingTimers).toBe(0);
  });

  test('twice is asked of the fallback, with which the call goes on', () => {
    const { at, mind, clock, of } = setUp();
    mind.say('Good morning.');
    at(0).emit(limited());
    clock.turn(300);
    at(0).emit(limited());
    expect(at(1).done).toEqual(['openGate', 'say Good morning.']);
    expect(at(0).done.at(-1)).toBe('callOver');
    at(1).emit({ kind: 'ready' });
    at(1).emit(sound('b'));
    expect(of('recovered')).toMatchObject([{ failure: { kind: 'rate_limited' } }]);
    expect(of('answer_failed')).toMatchObject([{ isRetried: true }, { isRetried: true }]);
    mind.respond();
    expect(at(1).done.at(-1)).toBe('respond');
  });

  test('goes to the fallback at once if the provider wants a longer pause', () => {
    const { at, mind } = setUp();
    mind.respond();
    at(0).emit(limited(2_000));
    expect(at(1).done).toEqual(['openGate', 'respond']);
  });

  test('twice without a fallback is the caller’s to handle', () => {
    const { at, mind, clock, of, opened } = setUp({ choices: ['first'] });
    mind.respond();
    at(0).emit(limited());
    clock.turn(300);
    at(0).emit(limited());
    expect(of('answer_failed').map(({ isRetried }) => isRetried)).toEqual([true, undefined]);
    expect(opened).toHaveLength(1);
  });

  test('in its middle is over where it broke off', () => {
    const { at, mind, of, clock } = setUp();
    mind.respond();
    at(0).emit(sound('a'));
    at(0).emit(limited());
    expect(of('item_over')).toEqual([{ kind: 'item_over', item: 'a', isLost: true }]);
    clock.turn(300);
    expect(at(0).done.at(-1)).toBe('respond');
  });
});

const failed = (kind: ProviderFailure['kind']): MindEvent => ({ kind: 'failed', failure: failure(kind) });

describe('an answer that calls a tool and breaks off', () => {
  const call: MindEvent = { kind: 'tool_call', id: 'c', name: 'book', argumentsText: '{}' };
  test.each([
    ['its connection is lost', failed('dropped')],
    ['its provider fails for good', failed('invalid_response')],
    ['its session stays', limited()],
    ['its session stays, and the provider wants a longer pause', limited(2_000)],
  ])('goes on with the result, and the model is not asked to call it again: %s', (_, end) => {
    const { at, opened, mind, clock, of } = setUp();
    mind.respond();
    at(0).emit(call);
    at(0).emit(end);
    clock.turn(300);
    const inUse = at(opened.length - 1);
    const asked = () => inUse.done.filter((done) => done === 'respond').length;
    const before = inUse === at(0) ? 1 : 0;
    expect(asked()).toBe(before);
    // Acts wait for it.
    expect(of('answer_over')).toEqual([{ kind: 'answer_over', outcome: 'incomplete', empty: false }]);
    expect(of('answer_failed')).toEqual([]);
    mind.toolResult({ id: 'c', output: 'Booked.', answer: true });
    expect(inUse.done.at(-1)).toBe('toolResult');
    expect(asked()).toBe(before);
  });

  test('has what is said while the tool runs said again over another connection', () => {
    const { at, mind } = setUp();
    mind.respond();
    at(0).emit(call);
    mind.say('One moment.');
    at(0).emit(failed('dropped'));
    expect(at(1).done).toEqual(['openGate', 'say One moment.']);
  });
});
