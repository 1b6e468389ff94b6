import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import type { FileReply, ReplyHeaders } from '../http/reply.ts';
import { DOCUMENT_PATH, type describeApi } from './document.ts';
import { PAGE, PAGE_POLICY, START_SCRIPT } from './page.ts';

type OpenFile = (request: IncomingMessage) => Promise<FileReply>;

interface Kept {
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

const require = createRequire(import.meta.url);
const compress = promisify(gzip);

/** The document, the page that shows it, and the files of the page, by their paths. */
export function referenceFiles(document: ReturnType<typeof describeApi>): Readonly<Record<string, OpenFile>> {
  const page = openFile('text/html; charset=utf-8', async () => Buffer.from(PAGE), {
    'Content-Security-Policy': PAGE_POLICY,
  });
  return {
    [DOCUMENT_PATH]: openFile('application/json', async () => Buffer.from(JSON.stringify(document))),
    '/docs/api': page,
    // With a trailing slash too. The page names its files by absolute paths.
    '/docs/api/': page,
    '/docs/api/start.js': openFile('text/javascript; charset=utf-8', async () => Buffer.from(START_SCRIPT)),
    '/docs/api/swagger-ui.js': openFile('text/javascript; charset=utf-8', () =>
      readFile(require.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
    ),
    '/docs/api/swagger-ui.css': openFile('text/css; charset=utf-8', () =>
      readFile(require.resolve('swagger-ui-dist/swagger-ui.css')),
    ),
    '/docs/api/favicon.png': openFile('image/png', () =>
      readFile(require.resolve('swagger-ui-dist/favicon-32x32.png')),
    ),
  };
}

/** Read and compressed at the first request, then kept: there are few files, and most processes never serve them. */
function openFile(type: string, read: () => Promise<Buffer>, own: ReplyHeaders = {}): OpenFile {
  let kept: Promise<Kept> | undefined;
  const load = async (): Promise<Kept> => {
    const plain = await read();
    return { plain, gzipped: await compress(plain) };
  };
  const headers = {
    ...own,
    'Content-Type': type,
    'Cache-Control': 'public, max-age=300',
    Vary: 'Accept-Encoding',
  };
  return async (request) => {
    kept ??= load().catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    const { plain, gzipped } = await kept;
    const [encoding] = new Negotiator(request).encodings(['gzip', 'identity']);
    if (encoding !== 'gzip') return { status: 200, headers, bytes: plain };
    return { status: 200, headers: { ...headers, 'Content-Encoding': 'gzip' }, bytes: gzipped };
  };
}
