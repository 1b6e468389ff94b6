import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LOG_EVENTS } from '@outdial/kernel';
import { globSync } from 'tinyglobby';
import { describe, expect, test } from 'vitest';
import { logCalls, logCallsOf } from './log-calls.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const EVENTS = new Map(Object.entries(LOG_EVENTS));

test('a log call is found with its levels and events, however its logger is reached', () => {
  const source = `
    deps.logger.warn({ event: 'call.claim_failed', err }, 'late');
    this.#logger.info({ event: isUp ? 'trunk.up' : 'trunk.down' }, 'now');
    logger[isLate ? 'debug' : 'error']({ event, callId }, text);
    this.#input.logger.error('without an event');
    logger.debug({ err: error }, 'without one either');
    console.log('not a logger'); catalog.error('nor this');
  `;
  expect(logCallsOf('a.ts', source).map(({ line, levels, events }) => [line, levels, events])).toEqual([
    [2, ['warn'], ['call.claim_failed']],
    [3, ['info'], ['trunk.up', 'trunk.down']],
    [4, ['debug', 'error'], []],
    [5, ['error'], undefined],
    [6, ['debug'], undefined],
  ]);
});

describe('the events of the log', () => {
  const calls = logCalls(ROOT);

  test('are on every line of every service', () => {
    expect(calls.length).toBeGreaterThan(120);
    expect(calls.filter(({ events }) => events === undefined)).toEqual([]);
  });

  test('are listed with the level at which the line is logged', () => {
    const wrong = calls.filter(({ levels, events = [] }) =>
      events.some((event) => levels.some((level) => !EVENTS.get(event)?.levels.some((listed) => listed === level))),
    );
    expect(wrong).toEqual([]);
  });

  test('are each used', () => {
    const files = globSync(['apps/{api,worker,callee,models}/src/**/*.ts', 'packages/*/src/**/*.ts'], {
      cwd: ROOT,
      ignore: ['**/*.test.ts', 'packages/kernel/src/log-events/**'],
    });
    const text = files.map((file) => readFileSync(`${ROOT}/${file}`, 'utf8')).join('\n');
    expect([...EVENTS.keys()].filter((name) => !text.includes(`'${name}'`))).toEqual([]);
  });

  test('are lower-case names of a subject and what happened to it', () => {
    for (const name of EVENTS.keys()) expect(name).toMatch(/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/);
  });

  test('say what they mean, and send operators to alarms of the runbook that exist', () => {
    const runbook = readFileSync(`${ROOT}/docs/runbook.md`, 'utf8');
    const sentence = /^[A-Z].*\.$/;
    for (const { meaning, action } of EVENTS.values()) {
      expect([meaning, action]).toEqual([expect.stringMatching(sentence), expect.stringMatching(sentence)]);
      for (const [alarm] of action.matchAll(/Outdial[A-Z]\w+/g)) expect(runbook).toContain(`## ${alarm}`);
    }
  });
});
