import type { ChangedCall } from '@outdial/contracts';
import { useRef, type KeyboardEvent, type RefObject } from 'react';
import { useShortcut } from '../../../shared/shortcuts/shortcuts.ts';

/** Space to keep above and below the focused row, for the table head and part of the next row. */
const MARGIN_PX = 110;

/**
 * `j` and `k` move through the rows from anywhere on the page, arrow keys once a row has the focus. Enter opens the
 * link.
 */
export function useRowKeys(
  rows: RefObject<HTMLElement | null>,
  calls: readonly ChangedCall[],
  rowHeightPx: number,
): (event: KeyboardEvent) => void {
  const last = useRef<string | null>(null);

  function move(step: 1 | -1): void {
    const next = nextCall(rows.current, calls, last.current, step);
    if (next === null || rows.current === null) return;
    last.current = next.call.id;
    const topPx = rows.current.getBoundingClientRect().top + next.index * rowHeightPx;
    if (topPx < MARGIN_PX) window.scrollBy({ top: topPx - MARGIN_PX });
    const belowPx = topPx + rowHeightPx + MARGIN_PX - window.innerHeight;
    if (belowPx > 0) window.scrollBy({ top: belowPx });
    linkOf(rows.current, next.call.id)?.focus({ preventScroll: true });
  }

  useShortcut('j', 'Next call', () => move(1));
  useShortcut('k', 'Previous call', () => move(-1));
  return (event) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    move(event.key === 'ArrowDown' ? 1 : -1);
  };
}

/** Starts at the focused row, else at the last focused one if it is on screen, else at the first visible row. */
function nextCall(rows: HTMLElement | null, calls: readonly ChangedCall[], last: string | null, step: 1 | -1) {
  if (rows === null) return null;
  const focused = document.activeElement?.getAttribute('data-call-link') ?? last;
  const from = focused !== null && linkOf(rows, focused) !== null ? calls.findIndex(({ id }) => id === focused) : -1;
  const index = from === -1 ? firstVisible(rows, calls) : Math.min(Math.max(from + step, 0), calls.length - 1);
  const call = calls[index];
  return call === undefined ? null : { call, index };
}

function firstVisible(rows: HTMLElement, calls: readonly ChangedCall[]): number {
  return calls.findIndex(({ id }) => {
    const link = linkOf(rows, id);
    return link !== null && link.getBoundingClientRect().top >= 0;
  });
}

function linkOf(rows: HTMLElement, callId: string): HTMLElement | null {
  return rows.querySelector<HTMLElement>(`[data-call-link="${CSS.escape(callId)}"]`);
}
