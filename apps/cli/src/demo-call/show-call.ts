import type { CallBody } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';
import { stepLine } from '../terminal/step.ts';
import type { LiveLine, Terminal } from '../terminal/terminal.ts';
import type { Move } from './follow-call.ts';

/**
 * Shows a call's progress: a line for each state it has left, with the duration, and a live line for the current one.
 */
export async function showMoves(
  output: { readonly terminal: Terminal; readonly clock: Clock },
  moves: AsyncIterable<Move>,
): Promise<void> {
  const { terminal, clock } = output;
  let shown: { readonly live: LiveLine; readonly move: Move } | undefined;
  try {
    for await (const move of moves) {
      shown?.live.end();
      if (shown)
        terminal.print(
          stepLine(terminal.paint.good('✓'), shown.move.status, formatSeconds(move.atMs - shown.move.atMs)),
        );
      if (move.status === 'ended') return;
      const enteredAtMs = clock.monotonicMs();
      const live = terminal.live((spinner) =>
        stepLine(terminal.paint.accent(spinner), move.status, formatSeconds(clock.monotonicMs() - enteredAtMs)),
      );
      shown = { live, move };
    }
  } finally {
    shown?.live.end();
  }
}

/** The last line of a call: its outcome. */
export function endLine(terminal: Terminal, call: CallBody): string {
  const parts = [
    call.ended_reason ?? '',
    call.answered_by === null ? 'not answered' : `answered by ${call.answered_by}`,
    `${call.cost} ${call.currency}`,
  ];
  return stepLine(terminal.paint.good('✓'), 'ended', parts.join(', '));
}

/** `for  0.04 s`, `for 12.35 s`: aligned at the decimal point. */
function formatSeconds(durationMs: number): string {
  return `for ${(Math.max(0, durationMs) / 1_000).toFixed(2).padStart(6)} s`;
}
