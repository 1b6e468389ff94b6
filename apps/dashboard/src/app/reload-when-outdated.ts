const KEY = 'outdial-reloaded-at';
const AT_MOST_EVERY_MS = 30_000;

/**
 * A page that was opened before the service was brought up to date asks for parts that are no longer there. It is loaded
 * anew, but not again and again: a service that is away has none of its parts either.
 */
export function reloadWhenOutdated(): void {
  addEventListener('vite:preloadError', () => {
    const lastMs = Number(sessionStorage.getItem(KEY) ?? 0);
    if (Date.now() - lastMs < AT_MOST_EVERY_MS) return;
    sessionStorage.setItem(KEY, String(Date.now()));
    location.reload();
  });
}
