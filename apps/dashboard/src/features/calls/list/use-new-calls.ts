import type { ChangedCall } from '@outdial/contracts';
import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import { countNewer } from '../model/call-list.ts';

interface NewCalls {
  readonly shown: readonly ChangedCall[];
  /** The number of new calls that are not shown yet. */
  readonly newCount: number;
  readonly showNew: () => void;
}

/**
 * Keeps new calls out of the list while the user is scrolled down, so that rows do not move. They appear when the user
 * returns to the top. Calls on screen keep updating.
 */
export function useNewCalls(calls: readonly ChangedCall[], rows: RefObject<HTMLElement | null>): NewCalls {
  const [anchor, setAnchor] = useState<Pick<ChangedCall, 'id' | 'created_at'> | null>(null);
  const onScroll = useEffectEvent(() => {
    const isScrolledDown = (rows.current?.getBoundingClientRect().top ?? 0) < 0;
    if (!isScrolledDown) setAnchor(null);
    else if (anchor === null) setAnchor(calls[0] ?? null);
  });
  useEffect(() => {
    const listener = () => onScroll();
    window.addEventListener('scroll', listener, { passive: true });
    return () => window.removeEventListener('scroll', listener);
  }, []);

  const newCount = anchor === null ? 0 : countNewer(calls, anchor);
  return {
    shown: newCount === 0 ? calls : calls.slice(newCount),
    newCount,
    showNew: () => {
      setAnchor(null);
      window.scrollTo({ top: 0 });
    },
  };
}
