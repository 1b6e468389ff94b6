import { useEffect, useState, type RefObject } from 'react';

/** Rows from `first` up to and without `end`. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** Rows that are kept ready beyond both edges, so that none is missing while somebody scrolls. */
const SPARE_ROWS = 10;

interface Layout {
  /** From the top of the window to the top of the first row; negative once that has been scrolled past. */
  readonly topPx: number;
  readonly windowHeightPx: number;
  readonly rowHeightPx: number;
}

export function visibleRange({ topPx, windowHeightPx, rowHeightPx }: Layout): RowRange {
  const first = Math.floor(-topPx / rowHeightPx) - SPARE_ROWS;
  const end = Math.ceil((windowHeightPx - topPx) / rowHeightPx) + SPARE_ROWS;
  return { first: Math.max(0, first), end: Math.max(0, end) };
}

/**
 * Which rows of a list of equally high ones are worth rendering: a few dozen, however many were loaded. `rows` is the
 * element that is as high as all of them.
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
