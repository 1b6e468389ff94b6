import { fakeClock } from '@outdial/testkit';
import { describe, expect, test } from 'vitest';
import { wantsColour } from './paint.ts';
import { showStep } from './step.ts';
import { formatFacts, formatTable } from './table.ts';
import { createTerminal } from './terminal.ts';

function screen(options: { readonly isTTY: boolean; readonly columns?: number }) {
  let written = '';
  const stream = { ...options, write: (text: string) => ((written += text), true) };
  return { stream, text: () => written };
}

describe('color', () => {
  test.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [true, { TERM: 'dumb' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [true, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
  ])('on a terminal: %j, with %j: %j', (isTerminal, env, wanted) => {
    expect(wantsColour(isTerminal, env)).toBe(wanted);
  });
});

describe('a live line', () => {
  test('stays below printed lines and is erased when it ends', () => {
    const { stream, text } = screen({ isTTY: true });
    const terminal = createTerminal(stream, { NO_COLOR: '1' });
    const live = terminal.live(() => 'working');
    terminal.print('news');
    live.end();
    live.end();
    terminal.print('done');
    expect(text()).toBe('\r\u001B[2Kworking\r\u001B[2Knews\n\r\u001B[2Kworking\r\u001B[2Kdone\n');
  });

  test('never wraps, since a wrapped line could not be erased', () => {
    const { stream, text } = screen({ isTTY: true, columns: 10 });
    createTerminal(stream, {})
      .live(() => 'x'.repeat(30))
      .end();
    expect(text()).toBe(`\r\u001B[2K${'x'.repeat(9)}\r\u001B[2K`);
  });

  test('is drawn only on a terminal', () => {
    const { stream, text } = screen({ isTTY: false });
    createTerminal(stream, {})
      .live(() => 'working')
      .end();
    expect(text()).toBe('');
  });
});

describe('a step', () => {
  test('that takes longer than a second prints a line when the output is not a terminal', async () => {
    const { stream, text } = screen({ isTTY: false });
    const clock = fakeClock();
    let finish: (() => void) | undefined;
    const work = new Promise<void>((resolve) => (finish = resolve));
    const step = showStep({ terminal: createTerminal(stream, {}), clock }, 'Stores', async () => {
      await work;
      return { result: 7, detail: 'ready' };
    });
    await clock.advance(1_249);
    expect(text()).toBe('');
    await clock.advance(1);
    expect(text()).toBe('  … Stores\n');
    finish?.();
    expect(await step).toBe(7);
    expect(text()).toBe('  … Stores\n  ✓ Stores        ready\n');
  });

  test('that prints its own progress gets an extra line only on a terminal', async () => {
    const { stream, text } = screen({ isTTY: false });
    const clock = fakeClock();
    const terminal = createTerminal(stream, {});
    let finish: (() => void) | undefined;
    const work = new Promise<void>((resolve) => (finish = resolve));
    const step = showStep({ terminal, clock }, 'Stores', async () => {
      terminal.print('  · Setting up Postgres …');
      await work;
      return { result: undefined, detail: 'ready' };
    });
    await clock.advance(5_000);
    finish?.();
    await step;
    expect(text()).toBe('  · Setting up Postgres …\n  ✓ Stores        ready\n');
  });

  test('that fails leaves neither a check mark nor a timer', async () => {
    const { stream, text } = screen({ isTTY: false });
    const clock = fakeClock();
    const step = showStep({ terminal: createTerminal(stream, {}), clock }, 'Stores', () =>
      Promise.reject(new Error('away')),
    );
    await expect(step).rejects.toThrow('away');
    expect(clock.pendingTimers()).toBe(0);
    expect(text()).toBe('');
  });
});

describe('a table', () => {
  const columns = [
    { title: 'NAME', value: (row: { name: string; cost: string }) => row.name },
    { title: 'COST', value: (row: { name: string; cost: string }) => row.cost, align: 'right' as const },
  ];

  test('aligns its columns without trailing spaces', () => {
    const rows = [
      { name: 'Reminder', cost: '0.50' },
      { name: 'Al', cost: '12.00' },
    ];
    expect(formatTable(columns, rows, 'none')).toEqual(['NAME       COST', 'Reminder   0.50', 'Al        12.00']);
  });

  test('aligns names in any script, by the columns that a terminal gives them', () => {
    const rows = [
      { name: '予約の確認', cost: '0.50' },
      { name: 'Zoe\u0301 🎉', cost: '12.00' },
    ];
    expect(formatTable(columns, rows, 'none')).toEqual([
      'NAME         COST',
      '予約の確認   0.50',
      'Zoe\u0301 🎉      12.00',
    ]);
  });

  test('shows the given sentence when it has no rows', () => {
    expect(formatTable(columns, [], 'There are no calls yet.')).toEqual(['There are no calls yet.']);
  });

  test('shows control characters escaped', () => {
    expect(formatTable(columns, [{ name: 'a\u001B[2Jb\nc', cost: '' }], 'none')[1]).toBe('a\uFFFD[2Jb\uFFFDc');
    expect(formatFacts([['name', 'a\u0007']])).toEqual(['name  a\uFFFD']);
  });
});
