import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock as clock } from './clock.ts';
import { DeadlineExceeded, withDeadline } from './deadline.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** Resolves after everything that is already decided. */
const immediate = () => new Promise<string>((resolve) => setImmediate(() => resolve('undecided')));
const inAMinute = () => clock.monotonicMs() + 60_000;

test('an outcome before the deadline is the outcome, and leaves no timer behind', async () => {
  expect(await withDeadline(clock, inAMinute(), Promise.resolve('answer'))).toBe('answer');
  const refused = withDeadline(clock, inAMinute(), Promise.reject(new Error('refused')));
  await expect(refused).rejects.toThrow('refused');
  expect(vi.getTimerCount()).toBe(0);
});

test('work without an outcome fails at its deadline, not before', async () => {
  const outcome = withDeadline(clock, inAMinute(), new Promise(() => {})).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(59_999);
  expect(await Promise.race([outcome, immediate()])).toBe('undecided');
  await vi.advanceTimersByTimeAsync(1);
  expect(await outcome).toBeInstanceOf(DeadlineExceeded);
});

test('a deadline that has passed still lets work answer that is done', async () => {
  const passed = clock.monotonicMs() - 1;
  expect(await withDeadline(clock, passed, Promise.resolve('answer'))).toBe('answer');
});

test('an answer that arrived while the process was busy is read before the deadline counts', async () => {
  const socket = new EventEmitter();
  const answer = withDeadline(clock, inAMinute(), new Promise((resolve) => socket.once('data', resolve)));
  // The timer is due and the socket is readable: Node runs the timer first, then the socket, then setImmediate.
  vi.advanceTimersByTime(60_000);
  socket.emit('data', 'answer');
  expect(await answer).toBe('answer');
});

test('a later failure is ignored', async () => {
  const socket = new EventEmitter();
  const work = new Promise((_resolve, reject) => socket.once('error', reject));
  const failed = withDeadline(clock, inAMinute(), work).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await failed).toBeInstanceOf(DeadlineExceeded);
  socket.emit('error', new Error('too late'));
  // Without a handler, the test run reports an unhandled rejection and fails.
  await immediate();
});
