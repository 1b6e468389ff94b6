import { useEffect, useEffectEvent } from 'react';
import type { Player } from './player.ts';

const SKIP_MS = 5_000;
/** What takes these keys itself. */
const TAKES_KEYS =
  'input, textarea, select, button, a, [contenteditable="true"], [role="combobox"], [role="dialog"], [role="menu"], [role="listbox"], [role="radiogroup"]';

/** Space plays and pauses, the arrows skip, from anywhere on the page that has no use for them of its own. */
export function usePlayerKeys(player: Player | null): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (player === null || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const isTaken = event.target instanceof Element && event.target.closest(TAKES_KEYS) !== null;
    // A turn or a button of the player may have the focus: the arrows mean nothing to it, space does.
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
