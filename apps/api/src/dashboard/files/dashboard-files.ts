import { fileURLToPath } from 'node:url';
import { nothingHere } from '../../http/api-error.ts';
import type { OpenHandler } from '../../http/serve.ts';
import { targetPath } from '../../http/target-path.ts';
import { cacheFile } from '../../http/cached-file.ts';
import { INDEX, cachedFolder } from '../../http/cached-folder.ts';
import { NOT_BUILT_PAGE, PAGE_PERMISSIONS, PAGE_POLICY } from './page-policy.ts';

/** The output folder of `npm run build`, relative to both this source file and its compiled file. */
export const BUILT_DASHBOARD_DIR = fileURLToPath(new URL('../../../../dashboard/dist', import.meta.url));

/** Paths of other routes. Their 404 is final. */
const RESERVED = /^\/(?:api|docs|healthz|readyz)(?:\/|$)/;

const PAGE_HEADERS = {
  'Content-Security-Policy': PAGE_POLICY,
  'Permissions-Policy': PAGE_PERMISSIONS,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
} as const;
/** Their names contain a hash of their contents. */
const ASSET_HEADERS = { 'Cache-Control': 'public, max-age=31536000, immutable' } as const;
const OTHER_HEADERS = { 'Cache-Control': 'no-cache' } as const;

/**
 * Serves the dashboard's files from memory, and its page for every path of the dashboard. The first request reads them:
 * most processes receive none.
 */
export function dashboardFiles(dir: string): OpenHandler {
  const load = cachedFolder(dir, headersOf);
  const notBuilt = cacheFile(INDEX, Buffer.from(NOT_BUILT_PAGE), PAGE_HEADERS);
  return async (request) => {
    const path = targetPath(request.url ?? '/');
    if (RESERVED.test(path)) throw nothingHere();
    const files = await load();
    const file = files.get(path === '/' ? INDEX : path);
    if (file !== undefined) return file(request);
    if (!isPage(path)) throw nothingHere();
    return (files.get(INDEX) ?? notBuilt)(request);
  };
}

/** Paths of pages have no extension. A missing file must not receive a page: a browser would run it as a script. */
function isPage(path: string): boolean {
  return !/\.[^/]*$/.test(path) && !path.startsWith('/assets/');
}

function headersOf(path: string) {
  if (path === INDEX) return PAGE_HEADERS;
  return path.startsWith('/assets/') ? ASSET_HEADERS : OTHER_HEADERS;
}
