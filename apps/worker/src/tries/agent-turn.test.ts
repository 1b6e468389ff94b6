import { expect, test } from 'vitest';
import { AgentTurn } from './agent-turn.ts';

test('a turn without tools is over with its answer, once', () => {
  const turn = new AgentTurn();
  expect(turn.isOver()).toBe(false);
  turn.answered();
  expect([turn.isOver(), turn.isOver()]).toEqual([true, false]);
});

test.each(['before', 'after'])(
  'a turn goes on with the answer to a result that comes %s its answer is complete',
  (when) => {
    const turn = new AgentTurn();
    turn.called();
    if (when === 'before') turn.returned(true);
    turn.answered();
    if (when === 'after') {
      expect(turn.isOver()).toBe(false);
      turn.returned(true);
    }
    expect(turn.isOver()).toBe(false);
    turn.answered();
    expect(turn.isOver()).toBe(true);
  },
);

test('a turn is over when no result asks for an answer', () => {
  const turn = new AgentTurn();
  turn.called();
  turn.answered();
  expect(turn.isOver()).toBe(false);
  turn.returned(false);
  expect(turn.isOver()).toBe(true);
});
