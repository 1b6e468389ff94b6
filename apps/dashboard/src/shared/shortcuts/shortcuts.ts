import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';

export interface Shortcut {
  /** One key, or two in sequence: `n`, `g c`. As `KeyboardEvent.key` names them. */
  readonly keys: string;
  readonly label: string;
}

interface Registered extends Shortcut {
  readonly run: () => void;
}

/** The shortcuts of the components on screen. Of two with the same keys, the last one wins. */
let registered: readonly Registered[] = [];
const listeners = new Set<() => void>();

function change(next: readonly Registered[]): void {
  registered = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const read = () => registered;

/** The shortcuts that are active now. */
export function useShortcutList(): readonly Shortcut[] {
  return useSyncExternalStore(subscribe, read);
}

/** The last registered shortcut with exactly these keys. */
export function findShortcut(keys: string): { readonly run: () => void } | undefined {
  return registered.findLast((shortcut) => shortcut.keys === keys);
}

export function startsSequence(key: string): boolean {
  return registered.some((shortcut) => shortcut.keys.startsWith(`${key} `));
}

/** Calls `run` on `keys` while the component is on screen and `isEnabled`. */
export function useShortcut(keys: string, label: string, run: () => void, isEnabled = true): void {
  const onPressed = useEffectEvent(run);
  useEffect(() => {
    if (!isEnabled) return undefined;
    const own: Registered = { keys, label, run: () => onPressed() };
    change([...registered, own]);
    return () => change(registered.filter((shortcut) => shortcut !== own));
  }, [keys, label, isEnabled]);
}
