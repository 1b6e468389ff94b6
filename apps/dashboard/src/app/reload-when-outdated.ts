import { isReachable } from '../shared/api/reachable.ts';

const KEY = 'outdial-reloaded-at';
const MIN_INTERVAL_MS = 30_000;

/**
 * Reloads a page that was opened before an update and requests chunks that no longer exist. It reloads only while the
 * service answers, because the browser would otherwise show its error page, and at most once per interval, because a
 * service that is down serves no chunk either.
 */
export function reloadWhenOutdated(): void {
  addEventListener('vite:preloadError', () => {
    const lastMs = Number(sessionStorage.getItem(KEY) ?? 0);
    if (Date.now() - lastMs < MIN_INTERVAL_MS) return;
    void reloadIfReachable();
  });
}

async function reloadIfReachable(): Promise<void> {
  if (!(await isReachable())) return;
  sessionStorage.setItem(KEY, String(Date.now()));
  location.reload();
}
