import { useEffect, useEffectEvent } from 'react';
import type { Player } from './player.ts';

const SKIP_MS = 5_000;
/** Elements that handle these keys themselves. */
const TAKES_KEYS =
  'input, textarea, select, button, a, [contenteditable="true"], [role="combobox"], [role="dialog"], [role="menu"], [role="listbox"], [role="radiogroup"]';

/** Space plays and pauses, and the arrow keys skip, unless the focused element handles them. */
export function usePlayerKeys(player: Player | null): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (player === null || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const isTaken = event.target instanceof Element && event.target.closest(TAKES_KEYS) !== null;
    // A focused turn or button uses space, but not the arrow keys.
    const isButton = event.target instanceof Element && event.target.closest('button, a') !== null;
    if (event.key === ' ' && !isTaken) player.toggle();
    else if (event.key === 'ArrowLeft' && (!isTaken || isButton)) player.skip(-SKIP_MS);
    else if (event.key === 'ArrowRight' && (!isTaken || isButton)) player.skip(SKIP_MS);
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}
