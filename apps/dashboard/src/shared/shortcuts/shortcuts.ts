import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';

export interface Shortcut {
  /** One key, or two one after the other: `n`, `g c`. As `KeyboardEvent.key` names them. */
  readonly keys: string;
  readonly label: string;
}

interface Registered extends Shortcut {
  readonly run: () => void;
}

/** Those of the pages on screen; the last one counts where two have the same keys. */
let registered: readonly Registered[] = [];
const listeners = new Set<() => void>();

function change(next: readonly Registered[]): void {
  registered = next;
  for (const tell of listeners) tell();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const read = () => registered;

/** What can be pressed now. */
export function useShortcutList(): readonly Shortcut[] {
  return useSyncExternalStore(subscribe, read);
}

/** The first that has exactly these keys, from the one that was registered last. */
export function findShortcut(keys: string): { readonly run: () => void } | undefined {
  return registered.findLast((shortcut) => shortcut.keys === keys);
}

export function isBeginning(key: string): boolean {
  return registered.some((shortcut) => shortcut.keys.startsWith(`${key} `));
}

/** Makes `run` answer to `keys` while the component is on screen. `isEnabled` false: not now. */
export function useShortcut(keys: string, label: string, run: () => void, isEnabled = true): void {
  const onPressed = useEffectEvent(run);
  useEffect(() => {
    if (!isEnabled) return undefined;
    const mine: Registered = { keys, label, run: () => onPressed() };
    change([...registered, mine]);
    return () => change(registered.filter((shortcut) => shortcut !== mine));
  }, [keys, label, isEnabled]);
}
