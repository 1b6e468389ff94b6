import { liveTurnSchema, type CallEventBody, type LiveTurn, type Turn } from '@outdial/contracts';
import { describe, expect, it } from 'vitest';
import { conversationItems } from './conversation-items.ts';
import { mergeTurns } from './merge-turns.ts';

const turnOf = (start_ms: number, text: string): Turn => ({
  role: 'agent',
  text,
  start_ms,
  end_ms: start_ms + 900,
  source: 'model',
  interrupted: false,
});
const liveTurn = (index: number): LiveTurn =>
  liveTurnSchema.parse({ ...turnOf(index * 1_000, `turn ${index}`), index, replaces: [] });
const toolAt = (id: string, at: string): CallEventBody => ({ id, at, type: 'tool_called', data: { name: 'book' } });
const ANSWERED = { answered_at: '2026-11-20T14:26:00.000Z', latency: null };

const keys = (turns: readonly Turn[]) => conversationItems(turns, [], ANSWERED).map(({ key }) => key);

describe('the lines of a conversation', () => {
  it('have each tool between the turns in which it was used', () => {
    const turns = [turnOf(0, 'Hello.'), turnOf(4_000, 'Done.')];
    const events = [toolAt('8', '2026-11-20T14:26:02.000Z'), toolAt('7', '2026-11-20T14:25:59.900Z')];
    const lines = conversationItems(turns, events, ANSWERED).map(({ key, atMs }) => `${key} ${atMs}`);
    expect(lines).toEqual(['turn-0 0', 'tool-7 0', 'tool-8 2000', 'turn-1 4000']);
  });

  it('say how long the callee waited for an answer', () => {
    const latency = {
      p50_ms: 800,
      p95_ms: 800,
      turns: [{ start_ms: 4_000, answer_ms: 800, barge_in_ms: null, parts: null }],
    };
    const turns = [turnOf(0, 'Hello.'), turnOf(4_000, 'Done.')];
    const waits = conversationItems(turns, [], { ...ANSWERED, latency }).map((item) =>
      item.kind === 'turn' ? item.answerMs : null,
    );
    expect(waits).toEqual([null, 800]);
  });

  it('say what an answer of a chain of models waited for', () => {
    const wait = { answer_ms: 800, barge_in_ms: null };
    const parts = { endpointing_ms: 300, llm_ttft_ms: 350, tts_ttfb_ms: 150 };
    const latency = {
      p50_ms: 800,
      p95_ms: 800,
      turns: [
        { ...wait, start_ms: 0, parts: null },
        { ...wait, start_ms: 4_000, parts },
        { ...wait, start_ms: 8_000, parts: { ...parts, endpointing_ms: null } },
      ],
    };
    const turns = [turnOf(0, 'Hello.'), turnOf(4_000, 'Done.'), turnOf(8_000, 'Goodbye.')];
    const waits = conversationItems(turns, [], { ...ANSWERED, latency }).map((item) =>
      item.kind === 'turn' ? item.waitedFor : null,
    );
    expect(waits).toEqual([
      [],
      ['end of turn 300 ms', 'first token 350 ms', 'first sound 150 ms'],
      ['first token 350 ms', 'first sound 150 ms'],
    ]);
  });

  it('keep their keys while turns come before them', () => {
    expect(keys([liveTurn(4)])).toEqual(['turn-4']);
    expect(keys([liveTurn(3), liveTurn(4)])).toEqual(['turn-3', 'turn-4']);
  });
});

describe('turns that a stream repeats', () => {
  it('are known once', () => {
    const known = [liveTurn(0), liveTurn(1)];
    expect(mergeTurns(known, [liveTurn(1), liveTurn(2)]).map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(mergeTurns(known, [liveTurn(0)])).toBe(known);
  });
});
