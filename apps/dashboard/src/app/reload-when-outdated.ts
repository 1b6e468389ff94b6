import { isReachable } from '../shared/api/reachable.ts';

const KEY = 'outdial-reloaded-at';
const AT_MOST_EVERY_MS = 30_000;

/**
 * A page that was opened before the service was updated asks for parts that are gone. It is loaded again, but only while
 * the service answers: without a connection the browser would show its error page. And not again and again: a service
 * that is away has none of its parts either.
 */
export function reloadWhenOutdated(): void {
  addEventListener('vite:preloadError', () => {
    const lastMs = Number(sessionStorage.getItem(KEY) ?? 0);
    if (Date.now() - lastMs < AT_MOST_EVERY_MS) return;
    void reloadIfReachable();
  });
}

async function reloadIfReachable(): Promise<void> {
  if (!(await isReachable())) return;
  sessionStorage.setItem(KEY, String(Date.now()));
  location.reload();
}
