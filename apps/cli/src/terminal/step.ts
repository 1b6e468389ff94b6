import type { Clock } from '@outdial/kernel';
import type { Terminal } from './terminal.ts';

/** The width of the longest label, so that the details align in one column. */
const LABEL_WIDTH = 14;
const SLOW_AFTER_MS = 1_000;
/** The work may report its own progress within a second; a little later we know whether it did. */
const PLAIN_AFTER_MS = 1_250;

/** One aligned line of a report: a mark, a label and a detail. */
export function stepLine(mark: string, label: string, detail: string): string {
  return `  ${mark} ${label.padEnd(LABEL_WIDTH)}${detail}`.trimEnd();
}

/**
 * Shows `work` as in progress and then its result. A terminal shows the progress at once. Other outputs get a line
 * after a second, unless the work has printed something by then; short work prints its result alone. `whileSlow` also
 * joins after a second.
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
