import { useEffect } from 'react';
import { findShortcut, startsSequence } from './shortcuts.ts';

/** How long to wait for the second key of a sequence. */
const PAIR_MS = 1_200;

/** Listens for shortcuts. Once per page. */
export function useShortcutKeys(): void {
  useEffect(() => {
    let first: { readonly key: string; readonly atMs: number } | undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || isForAnotherControl(event)) return;
      const pair =
        first !== undefined && event.timeStamp - first.atMs < PAIR_MS
          ? findShortcut(`${first.key} ${event.key}`)
          : undefined;
      first = undefined;
      const shortcut = pair ?? findShortcut(event.key);
      if (shortcut !== undefined) {
        event.preventDefault();
        shortcut.run();
      } else if (startsSequence(event.key)) {
        first = { key: event.key, atMs: event.timeStamp };
      }
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

const TAKES_TEXT = 'input, textarea, select, [contenteditable="true"], [role="combobox"]';
const TAKES_KEYS = '[role="dialog"], [role="menu"], [role="listbox"]';

/** Typing, and keys in a dialog or menu, are not shortcuts. */
function isForAnotherControl({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true;
  if (!(target instanceof Element)) return false;
  return target.closest(`${TAKES_TEXT}, ${TAKES_KEYS}`) !== null;
}
