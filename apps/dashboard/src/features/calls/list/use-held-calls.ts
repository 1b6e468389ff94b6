import type { ChangedCall } from '@outdial/contracts';
import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import { countNewer } from '../model/call-list.ts';

interface HeldCalls {
  readonly shown: readonly ChangedCall[];
  /** New calls that wait above. */
  readonly heldCount: number;
  readonly release: () => void;
}

/**
 * Whoever has scrolled down reads: new calls must not push what they read away. They are held back until the reader
 * comes back to the top. Calls that are on screen go on changing.
 */
export function useHeldCalls(calls: readonly ChangedCall[], rows: RefObject<HTMLElement | null>): HeldCalls {
  const [anchor, setAnchor] = useState<Pick<ChangedCall, 'id' | 'created_at'> | null>(null);
  const onScroll = useEffectEvent(() => {
    const isAway = (rows.current?.getBoundingClientRect().top ?? 0) < 0;
    if (!isAway) setAnchor(null);
    else if (anchor === null) setAnchor(calls[0] ?? null);
  });
  useEffect(() => {
    const listener = () => onScroll();
    window.addEventListener('scroll', listener, { passive: true });
    return () => window.removeEventListener('scroll', listener);
  }, []);

  const heldCount = anchor === null ? 0 : countNewer(calls, anchor);
  return {
    shown: heldCount === 0 ? calls : calls.slice(heldCount),
    heldCount,
    release: () => {
      setAnchor(null);
      window.scrollTo({ top: 0 });
    },
  };
}
