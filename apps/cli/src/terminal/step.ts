import type { Clock } from '@outdial/kernel';
import type { Terminal } from './terminal.ts';

/** Wide enough for the longest label, so that what follows stands in one column. */
const LABEL_WIDTH = 14;
const SLOW_AFTER_MS = 1_000;
/** What is at work may say so itself after a second: a moment later, it is known whether it has. */
const PLAIN_AFTER_MS = 1_250;

/** One aligned line of a report: a mark, a label, and what there is to say. */
export function stepLine(mark: string, label: string, detail: string): string {
  return `  ${mark} ${label.padEnd(LABEL_WIDTH)}${detail}`.trimEnd();
}

/**
 * Shows that `work` is under way and, once it is done, what came of it. A terminal sees it at once; where nobody
 * watches, a line says so after a second, unless the work has said what it is at by then, and short work leaves its
 * result alone. `whileSlow` joins after a second too.
 */
export async function showStep<Result>(
  output: { readonly terminal: Terminal; readonly clock: Clock },
  label: string,
  work: () => Promise<{ readonly result: Result; readonly detail: string }>,
  whileSlow = '',
): Promise<Result> {
  const { terminal, clock } = output;
  let hint = '';
  const printedBefore = terminal.printed();
  const live = terminal.live((spinner) => stepLine(terminal.paint.accent(spinner), label, hint));
  const slow = clock.after(terminal.isInteractive ? SLOW_AFTER_MS : PLAIN_AFTER_MS, () => {
    hint = whileSlow;
    const isSilent = !terminal.isInteractive && terminal.printed() === printedBefore;
    if (isSilent) terminal.print(stepLine('…', label, hint));
  });
  try {
    const { result, detail } = await work();
    live.end();
    terminal.print(stepLine(terminal.paint.good('✓'), label, detail));
    return result;
  } finally {
    slow.cancel();
    live.end();
  }
}
