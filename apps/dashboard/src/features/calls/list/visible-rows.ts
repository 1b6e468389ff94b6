import { useEffect, useState, type RefObject } from 'react';

/** Rows from `first` up to, but excluding, `end`. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** Extra rows to render beyond both edges, so that scrolling shows no gaps. */
const OVERSCAN_ROWS = 10;

interface Layout {
  /** From the top of the window to the top of the first row; negative once the user scrolls past it. */
  readonly topPx: number;
  readonly windowHeightPx: number;
  readonly rowHeightPx: number;
}

export function visibleRange({ topPx, windowHeightPx, rowHeightPx }: Layout): RowRange {
  const first = Math.floor(-topPx / rowHeightPx) - OVERSCAN_ROWS;
  const end = Math.ceil((windowHeightPx - topPx) / rowHeightPx) + OVERSCAN_ROWS;
  return { first: Math.max(0, first), end: Math.max(0, end) };
}

/**
 * The rows to render of a list with equally high rows: a few dozen, however many are loaded. `rows` is the element that
 * is as high as all rows together.
 */
export function useVisibleRows(rows: RefObject<HTMLElement | null>, rowHeightPx: number): RowRange {
  const [range, setRange] = useState<RowRange>({ first: 0, end: 40 });
  useEffect(() => {
    const measure = () => {
      if (rows.current === null) return;
      const topPx = rows.current.getBoundingClientRect().top;
      const next = visibleRange({ topPx, windowHeightPx: window.innerHeight, rowHeightPx });
      setRange((range) => (range.first === next.first && range.end === next.end ? range : next));
    };
    measure();
    window.addEventListener('scroll', measure, { passive: true });
    window.addEventListener('resize', measure);
    return () => {
      window.removeEventListener('scroll', measure);
      window.removeEventListener('resize', measure);
    };
  }, [rows, rowHeightPx]);
  return range;
}
