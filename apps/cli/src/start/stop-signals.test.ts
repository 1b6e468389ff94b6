import { EventEmitter } from 'node:events';
import { fakeClock } from '@outdial/testkit';
import { describe, expect, test } from 'vitest';
import { listenForStop } from './stop-signals.ts';

describe('Ctrl-C', () => {
  test('requests one stop, however often a single press arrives', () => {
    const source = new EventEmitter();
    const stop = listenForStop(source, fakeClock());
    source.emit('SIGINT');
    source.emit('SIGINT');
    source.emit('SIGTERM');
    expect([stop.requested.aborted, stop.forced.aborted]).toEqual([true, false]);
  });

  test('pressed again forces the stop', async () => {
    const source = new EventEmitter();
    const clock = fakeClock();
    const stop = listenForStop(source, clock);
    source.emit('SIGINT');
    await clock.advance(1_000);
    source.emit('SIGINT');
    expect(stop.forced.aborted).toBe(true);
  });

  test.each(['SIGTERM', 'SIGHUP'])('%s means the same', (signal) => {
    const source = new EventEmitter();
    const stop = listenForStop(source, fakeClock());
    source.emit(signal);
    expect(stop.requested.aborted).toBe(true);
  });
});
