import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import { sendRaw } from '../../../test/raw-request.ts';

const PAGE = '<!doctype html><title>Outdial</title>';
const SCRIPT = `console.log('${'dial '.repeat(500)}');`;
const PIXELS = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]);

let dir: string;
let api: TestApi;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'outdial-dashboard-'));
  await mkdir(join(dir, 'assets'));
  await writeFile(join(dir, 'index.html'), PAGE);
  await writeFile(join(dir, 'before-paint.js'), 'paint()');
  await writeFile(join(dir, '.sources'), 'none of a browser’s business');
  await writeFile(join(dir, 'assets', 'index-abc123.js'), SCRIPT);
  await writeFile(join(dir, 'assets', 'logo-abc123.png'), PIXELS);
  api = await openApi({ dashboardDir: dir });
});
afterAll(async () => {
  await api.close();
  await rm(dir, { recursive: true });
});

/** The raw response: fetch would decode it. */
async function get(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET', url = api.url) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(new URL(path, url), { method, headers }, resolve).on('error', reject).end();
  });
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

describe('the dashboard’s page', () => {
  it.each(['/', '/sign-in', '/accounts/1/calls?status=ended', '/operations', '/calls/', '/apiary'])(
    'answers %s',
    async (path) => {
      const answer = await get(path);
      expect([answer.status, answer.headers['content-type'], answer.body.toString()]).toEqual([
        200,
        'text/html; charset=utf-8',
        PAGE,
      ]);
    },
  );

  it('allows no inline script, no other host, and no frame around it', async () => {
    const { headers } = await get('/');
    const policy = headers['content-security-policy'];
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-cache',
    });
  });

  it('may use the microphone itself, and nothing else that a browser asks a person for', async () => {
    const permissions = String((await get('/')).headers['permissions-policy']).split(', ');
    const allowed = permissions.filter((one) => !one.endsWith('=()'));
    expect(allowed).toEqual(['microphone=(self)']);
    for (const denied of ['camera', 'display-capture', 'geolocation']) expect(permissions).toContain(`${denied}=()`);
  });

  it.each(['/api', '/api/', '/api/dashboard/nowhere', '/api/v1/nowhere', '/docs/nowhere', '/healthz/'])(
    'leaves %s to the JSON routes',
    async (path) => {
      const answer = await get(path);
      expect([answer.status, JSON.parse(answer.body.toString())]).toMatchObject([
        404,
        { error: { code: 'not_found' } },
      ]);
    },
  );

  it.each([
    '/assets/gone-abc123.js',
    '/assets/gone',
    '/favicon.ico',
    '/../package.json',
    '/..%2Fpackage.json',
    '/.env',
  ])('is not served for the missing file %s', async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  it.each([
    ['http://x/', 200],
    ['http://x?y=1', 200],
    ['http://x/sign-in', 200],
    ['http://x/assets/index-abc123.js', 200],
    ['http://x/api/v1/nowhere', 404],
  ])('and its files are served for a target in absolute form: %s', async (path, status) => {
    expect((await sendRaw(api.url, { path })).status).toBe(status);
  });

  it.each(['POST', 'PUT', 'DELETE'])('is not served for %s', async (method) => {
    expect((await get('/sign-in', {}, method)).status).toBe(404);
  });

  it.each([
    ['a slash at its end', (path: string) => `${path}/`],
    ['a dot before it', (path: string) => `./${relative(process.cwd(), path)}`],
  ])('is found in a folder that is named with %s', async (_how, named) => {
    const other = await openApi({ dashboardDir: named(dir) });
    try {
      const answers = await Promise.all(
        ['/', '/assets/logo-abc123.png'].map((path) => get(path, {}, 'GET', other.url)),
      );
      expect(answers.map(({ status, body }) => [status, body])).toEqual([
        [200, Buffer.from(PAGE)],
        [200, PIXELS],
      ]);
    } finally {
      await other.close();
    }
  });

  it('is replaced by instructions to build it, and served once it is built', async () => {
    const later = await mkdtemp(join(tmpdir(), 'outdial-later-'));
    const other = await openApi({ dashboardDir: join(later, 'dist') });
    try {
      expect((await get('/', {}, 'GET', other.url)).body.toString()).toContain('npm run build -w @outdial/dashboard');
      expect((await get('/before-paint.js', {}, 'GET', other.url)).status).toBe(404);
      await mkdir(join(later, 'dist'));
      await writeFile(join(later, 'dist', 'index.html'), PAGE);
      expect((await get('/', {}, 'GET', other.url)).body.toString()).toBe(PAGE);
    } finally {
      await other.close();
      await rm(later, { recursive: true });
    }
  });
});

describe('a file of the dashboard', () => {
  it.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['gzip;q=0.5, br;q=0', 'gzip', gunzipSync],
    ['identity', undefined, (bytes: Buffer) => bytes],
  ] as const)('is compressed for a client that accepts %s', async (accepted, encoding, decode) => {
    const answer = await get('/assets/index-abc123.js', { 'accept-encoding': accepted });
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': String(answer.body.length),
      vary: 'Accept-Encoding',
    });
    expect([answer.headers['content-encoding'], decode(answer.body).toString()]).toEqual([encoding, SCRIPT]);
  });

  it('is cached forever if its name contains its hash, and revalidated otherwise', async () => {
    const [asset, script] = await Promise.all([get('/assets/index-abc123.js'), get('/before-paint.js')]);
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(script.headers['cache-control']).toBe('no-cache');
  });

  it('is not sent again to a client that has it in the same encoding', async () => {
    const first = await get('/before-paint.js', { 'accept-encoding': 'br' });
    const tag = String(first.headers.etag);
    const again = await get('/before-paint.js', { 'accept-encoding': 'br', 'if-none-match': `"other", W/${tag}` });
    expect([again.status, again.headers.etag, again.body.length]).toEqual([304, tag, 0]);
    const plain = await get('/before-paint.js', { 'if-none-match': tag });
    expect([plain.status, plain.body.toString()]).toEqual([200, 'paint()']);
  });

  it('is sent again to a page that is reloaded past every cache', async () => {
    const tag = String((await get('/before-paint.js')).headers.etag);
    const reloaded = await get('/before-paint.js', { 'if-none-match': tag, 'cache-control': 'no-cache' });
    expect([reloaded.status, reloaded.body.toString()]).toEqual([200, 'paint()']);
  });

  it('that is not text is sent uncompressed', async () => {
    const answer = await get('/assets/logo-abc123.png', { 'accept-encoding': 'br' });
    expect(answer.headers).toMatchObject({ 'content-type': 'image/png' });
    expect([answer.headers['content-encoding'], answer.body]).toEqual([undefined, PIXELS]);
  });

  it('is described to a HEAD request, without its bytes', async () => {
    const answer = await get('/assets/logo-abc123.png', {}, 'HEAD');
    expect([answer.status, answer.headers['content-length'], answer.body.length]).toEqual([200, '8', 0]);
  });
});
