import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { cacheFile, type CachedFile } from '../http/cached-file.ts';
import type { ReplyHeaders } from '../http/reply.ts';
import { DOCUMENT_PATH, type describeApi } from './document.ts';
import { PAGE, PAGE_POLICY, START_SCRIPT } from './page.ts';

const require = createRequire(import.meta.url);

/**
 * The document, the page that shows it, and the files of the page, by their paths.
 *
 * @param describe builds the document. That takes a tenth of a second of the processor, so it waits for a reader.
 */
export function referenceFiles(describe: () => ReturnType<typeof describeApi>): Readonly<Record<string, CachedFile>> {
  const page = openFile('.html', async () => Buffer.from(PAGE), {
    'Content-Security-Policy': PAGE_POLICY,
  });
  return {
    [DOCUMENT_PATH]: openFile('.json', async () => Buffer.from(JSON.stringify(describe()))),
    '/docs/api': page,
    // With a trailing slash too. The page names its files by absolute paths.
    '/docs/api/': page,
    '/docs/api/start.js': openFile('.js', async () => Buffer.from(START_SCRIPT)),
    '/docs/api/swagger-ui.js': openFile('.js', () => readFile(require.resolve('swagger-ui-dist/swagger-ui-bundle.js'))),
    '/docs/api/swagger-ui.css': openFile('.css', () => readFile(require.resolve('swagger-ui-dist/swagger-ui.css'))),
    '/docs/api/favicon.png': openFile('.png', () => readFile(require.resolve('swagger-ui-dist/favicon-32x32.png'))),
  };
}

/** Read at the first request, then cached: most processes never serve these files. */
function openFile(extension: `.${string}`, read: () => Promise<Buffer>, own: ReplyHeaders = {}): CachedFile {
  const headers = { ...own, 'Cache-Control': 'public, max-age=300' };
  let cached: Promise<CachedFile> | undefined;
  return async (request) => {
    cached ??= read().then((bytes) => cacheFile(`file${extension}`, bytes, headers));
    const file = await cached.catch((error: unknown) => {
      cached = undefined;
      throw error;
    });
    return file(request);
  };
}
