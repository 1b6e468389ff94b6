import { fakeClock, freePort, type FakeClock } from '@outdial/testkit';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTerminal } from '../terminal/terminal.ts';
import { isPortOpen } from './readiness.ts';
import { startService, stopServices, type Service } from './service.ts';
import { aborted, listenForStop, type StopSignals } from './stop-signals.ts';

let clock: FakeClock;
beforeEach(() => {
  clock = fakeClock();
});

/** The clock of the test moves only here: readiness is looked at again after a pause. */
async function outcomeOf({ ready }: Service): Promise<unknown> {
  let outcome: unknown;
  void ready.then(
    () => (outcome = 'ready'),
    (error: unknown) => (outcome = error),
  );
  await expect
    .poll(async () => {
      await clock.advance(50);
      return outcome;
    })
    .toBeDefined();
  return outcome;
}

/** A service that ends at the first of the signals in `endsAt`. */
function scripted(...endsAt: readonly NodeJS.Signals[]) {
  const signals: NodeJS.Signals[] = [];
  let end: (() => void) | undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const signal = (signal: NodeJS.Signals) => {
    signals.push(signal);
    if (endsAt.includes(signal)) end?.();
  };
  return { ended, signal, signals, end: () => end?.() };
}

describe('a service', () => {
  let stop: StopSignals;
  let printed: string;
  let service: Service | undefined;
  beforeEach(() => {
    stop = listenForStop(new EventEmitter(), clock);
    printed = '';
    service = undefined;
  });
  afterEach(async () => {
    service?.signal('SIGKILL');
    await service?.ended;
  });

  async function startCallee(given: NodeJS.ProcessEnv = {}, isReady?: () => Promise<boolean>): Promise<Service> {
    const port = await freePort();
    const terminal = createTerminal({ write: (text) => ((printed += text), true) }, {});
    const env = { PATH: process.env['PATH'], OUTDIAL_CALLEE_SIP_PORT: String(port), LOG_LEVEL: 'warn', ...given };
    const look = isReady ?? (() => isPortOpen('127.0.0.1', port));
    service = startService({ name: 'callee', env, isReady: look }, { terminal, clock, stop });
    return service;
  }

  test('that ends after it was ready stops the product and is named', async () => {
    const callee = await startCallee();
    expect(await outcomeOf(callee)).toBe('ready');
    callee.signal('SIGKILL');
    await aborted(stop.requested);
    expect(String(stop.requested.reason)).toContain('The callee ended (SIGKILL): see its output above');
  });

  test('that ends before it was ready stops the start, with its output above', async () => {
    const callee = await startCallee({ OUTDIAL_CALLEE_SIP_PORT: 'none' });
    await callee.ended;
    expect(printed).toContain('OUTDIAL_CALLEE_SIP_PORT=none');
    expect(String(await outcomeOf(callee))).toContain(
      'The callee could not be started (exit code 1): see its output above',
    );
  });

  test('that is not ready within a minute is reported', async () => {
    const { ready } = await startCallee({}, async () => false);
    const refusal = ready.catch(String);
    await clock.advance(60_000);
    expect(await refusal).toContain('The callee was not ready within a minute: start again');
  });
});

describe('stopping services', () => {
  const never = new AbortController().signal;

  test('gives each its time, asks again at the limit, and kills what is left', async () => {
    const [polite, draining, hung] = [scripted('SIGTERM'), scripted(), scripted('SIGKILL')];
    const stopped = stopServices([polite, draining, hung], { clock, forced: never, limitMs: 25_000 });
    await clock.advance(24_999);
    expect([draining.signals, hung.signals]).toEqual([['SIGTERM'], ['SIGTERM']]);
    await clock.advance(1);
    expect(hung.signals).toEqual(['SIGTERM', 'SIGTERM']);
    draining.end();
    await clock.advance(10_000);
    await stopped;
    expect(hung.signals).toEqual(['SIGTERM', 'SIGTERM', 'SIGKILL']);
  });

  test('is over as soon as all have ended', async () => {
    const services = [scripted('SIGTERM'), scripted('SIGTERM')];
    await stopServices(services, { clock, forced: never, limitMs: 25_000 });
    expect(services.map(({ signals }) => signals)).toEqual([['SIGTERM'], ['SIGTERM']]);
    expect(clock.pendingTimers()).toBe(0);
  });

  test('does not wait once it is forced', async () => {
    const hung = scripted('SIGKILL');
    const forced = new AbortController();
    const stopped = stopServices([hung], { clock, forced: forced.signal, limitMs: 25_000 });
    forced.abort();
    await clock.advance(10_000);
    await stopped;
    expect(hung.signals).toEqual(['SIGTERM', 'SIGTERM', 'SIGKILL']);
  });
});
