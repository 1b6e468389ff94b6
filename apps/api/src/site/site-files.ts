import { fileURLToPath } from 'node:url';
import { cacheFile } from '../http/cached-file.ts';
import { INDEX, cachedFolder, type CachedFiles } from '../http/cached-folder.ts';
import { nothingHere } from '../http/api-error.ts';
import { movedTo, type ReplyHeaders } from '../http/reply.ts';
import type { OpenHandler } from '../http/serve.ts';
import { targetPath } from '../http/target-path.ts';
import { NOT_BUILT_PAGE, sitePolicy } from './site-policy.ts';

/** Where the documentation's build puts the site, seen from this file's source and from its compiled form alike. */
export const BUILT_SITE_DIR = fileURLToPath(new URL('../../../../docs/dist', import.meta.url));

const BASE = '/docs';
/** https://llmstxt.org */
export const MODEL_PATHS = ['/llms.txt', '/llms-full.txt'] as const;
/** Files of the API reference from when it was at /docs. */
const MOVED = /^\/(?:start|swagger-ui)\.(?:js|css)$|^\/favicon\.png$/;

/** Pages that have another address now. */
const MOVED_PAGES: ReadonlyMap<string, `/${string}`> = new Map([['/log-events', '/reference/log-events']]);

/**
 * Serves the documentation below /docs from memory. Pages have no extension: `/docs/start` is `start.html`, `/docs/adr/`
 * is `adr/index.html`. Other spellings of a page redirect to it. Language models look for the files of `MODEL_PATHS` at the
 * root.
 */
export function siteFiles(dir: string): OpenHandler {
  const load = cachedFolder(dir, headersOf);
  const notBuilt = cacheFile(INDEX, NOT_BUILT_PAGE, headersOf(INDEX, NOT_BUILT_PAGE));
  return async (request) => {
    const asked = targetPath(request.url ?? '/');
    const path = asked.startsWith(BASE) ? asked.slice(BASE.length) : asked;
    if (path === '') return movedTo(`${BASE}/`);
    if (MOVED.test(path)) return movedTo(`${BASE}/api${path}`);
    const moved = MOVED_PAGES.get(path.replace(/\.html$/, ''));
    if (moved !== undefined) return movedTo(`${BASE}${moved}`);
    const files = await load();
    const file = files.get(fileOf(path));
    if (file !== undefined && !path.endsWith('.html')) return file(request);
    const page = pageLike(path, files);
    if (page !== undefined) return movedTo(`${BASE}${page}`);
    if (path === '/') return notBuilt(request);
    throw nothingHere();
  };
}

function fileOf(path: string): string {
  if (path.endsWith('/')) return `${path}index.html`;
  return /\.\w+$/.test(path) ? path : `${path}.html`;
}

/** The address of the page that another spelling means: with `.html`, or with one slash too many or too few. */
function pageLike(path: string, files: CachedFiles): `/${string}` | undefined {
  const name = path.replace(/(?:\/index)?(?:\.html)?\/?$/, '');
  if (name === '') return files.has(INDEX) && path !== '/' ? '/' : undefined;
  if (files.has(`${name}/index.html`)) return `/${name.slice(1)}/`;
  return files.has(`${name}.html`) ? `/${name.slice(1)}` : undefined;
}

function headersOf(path: string, bytes: Buffer): ReplyHeaders {
  // The names of these carry a digest of their contents.
  if (path.startsWith('/assets/')) return { 'Cache-Control': 'public, max-age=31536000, immutable' };
  if (!path.endsWith('.html')) return { 'Cache-Control': 'no-cache' };
  return {
    'Content-Security-Policy': sitePolicy(bytes.toString()),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cache-Control': 'no-cache',
  };
}
