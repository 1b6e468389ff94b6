import { createLogger } from '@outdial/kernel';
import { expect, test } from 'vitest';
import { logLineFormatter } from './log-lines.ts';

test('a log line is shown on one line with its service, level and fields', () => {
  let line = '';
  const logger = createLogger({ name: 'worker', level: 'info', destination: { write: (text) => void (line = text) } });
  logger.warn({ callId: 'c1' }, 'the lease was lost');
  expect(logLineFormatter('worker', false)(line.trimEnd())).toMatch(
    /^\[\d\d:\d\d:\d\d\] WARN \(worker\): the lease was lost \{"callId":"c1"\}$/,
  );
});

test.each(['(node:1) Warning: something', '{"not":"a log line"}', '{broken', ''])('%j is shown unchanged', (line) => {
  expect(logLineFormatter('api', false)(line)).toBe(`api: ${line}`);
});
