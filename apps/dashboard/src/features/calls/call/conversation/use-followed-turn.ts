import { useEffect, useRef, useState, type RefObject } from 'react';

interface FollowedTurn {
  readonly list: RefObject<HTMLOListElement | null>;
  readonly isFollowing: boolean;
  readonly follow: () => void;
  readonly onUserScroll: () => void;
}

/** Keeps the active turn in view within its list, without scrolling the page. Stops when the user scrolls. */
export function useFollowedTurn(active: number | null): FollowedTurn {
  const list = useRef<HTMLOListElement>(null);
  const [isFollowing, setIsFollowing] = useState(true);
  useEffect(() => {
    if (!isFollowing || active === null) return;
    const turn = list.current?.children.item(active);
    if (list.current === null || !(turn instanceof HTMLElement)) return;
    const top = turn.offsetTop - (list.current.clientHeight - turn.offsetHeight) / 2;
    const prefersReducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    list.current.scrollTo({ top, behavior: prefersReducedMotion ? 'auto' : 'smooth' });
  }, [active, isFollowing]);
  return {
    list,
    isFollowing,
    follow: () => setIsFollowing(true),
    onUserScroll: () => setIsFollowing(false),
  };
}
