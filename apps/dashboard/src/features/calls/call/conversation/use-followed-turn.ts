import { useEffect, useRef, useState, type RefObject } from 'react';

interface FollowedTurn {
  readonly list: RefObject<HTMLOListElement | null>;
  readonly isFollowing: boolean;
  readonly follow: () => void;
  readonly onScrollByHand: () => void;
}

/** Keeps the active turn in sight within its list, without moving the page. Whoever scrolls by hand is let go. */
export function useFollowedTurn(active: number | null): FollowedTurn {
  const list = useRef<HTMLOListElement>(null);
  const [isFollowing, setIsFollowing] = useState(true);
  useEffect(() => {
    if (!isFollowing || active === null) return;
    const turn = list.current?.children.item(active);
    if (list.current === null || !(turn instanceof HTMLElement)) return;
    const top = turn.offsetTop - (list.current.clientHeight - turn.offsetHeight) / 2;
    const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    list.current.scrollTo({ top, behavior: isCalm ? 'auto' : 'smooth' });
  }, [active, isFollowing]);
  return {
    list,
    isFollowing,
    follow: () => setIsFollowing(true),
    onScrollByHand: () => setIsFollowing(false),
  };
}
