import { useSyncExternalStore } from 'react';

/** One timer for everything on the page that ticks. It stops while nothing listens. */
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let nowMs = Date.now();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    nowMs = Date.now();
    timer = setInterval(() => {
      nowMs = Date.now();
      for (const listener of listeners) listener();
    }, 1_000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const read = () => nowMs;

/** The current time in milliseconds, updated once a second. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, read);
}
