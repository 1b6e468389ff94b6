import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../test/open-api.ts';

const INLINE = 'document.documentElement.classList.add("dark")';
const PAGE = `<html><script id="x">${INLINE}</script><script type="module" src="/docs/assets/app.js"></script></html>`;

let dir: string;
let api: TestApi;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'outdial-site-'));
  await Promise.all(['assets', 'guides', 'adr'].map((name) => mkdir(join(dir, name))));
  const pages = ['index', 'start', 'guides/calls', 'adr/index'];
  await Promise.all(pages.map((name) => writeFile(join(dir, `${name}.html`), PAGE)));
  await writeFile(join(dir, 'assets', 'app.js'), 'run()');
  await writeFile(join(dir, 'alerts.yml'), 'groups: []');
  await writeFile(join(dir, 'start.md'), '# Start');
  await Promise.all(['llms.txt', 'llms-full.txt'].map((name) => writeFile(join(dir, name), '# Outdial')));
  await writeFile(join(dir, '.sources'), 'digest');
  api = await openApi({ siteDir: dir });
});
afterAll(async () => {
  await api.close();
  await rm(dir, { recursive: true });
});

/** The path goes out as it is: fetch would resolve dots. */
async function get(path: string, { method = 'GET', url = api.url } = {}) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest({ host: new URL(url).hostname, port: new URL(url).port, path, method }, resolve)
      .on('error', reject)
      .end();
  });
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

it.each(['/docs/', '/docs/start', '/docs/guides/calls', '/docs/adr/', '/docs/start?from=mail'])(
  'the page %s is served',
  async (path) => {
    const { status, headers, body } = await get(path);
    expect([status, headers['content-type'], body]).toEqual([200, 'text/html; charset=utf-8', PAGE]);
  },
);

it('files that are no pages are served with their type', async () => {
  const [script, alarms] = [await get('/docs/assets/app.js'), await get('/docs/alerts.yml')];
  expect([script.status, script.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
  expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect([alarms.status, alarms.headers['content-type']]).toEqual([200, 'application/yaml; charset=utf-8']);
});

it.each([
  ['/llms.txt', 'text/plain', '# Outdial'],
  ['/llms-full.txt', 'text/plain', '# Outdial'],
  ['/docs/start.md', 'text/markdown', '# Start'],
])('language models read %s as text', async (path, type, text) => {
  const { status, headers, body } = await get(path);
  expect([status, headers['content-type'], body]).toEqual([200, `${type}; charset=utf-8`, text]);
});

describe('a link from before', () => {
  it.each([
    ['/docs', '/docs/'],
    ['/docs/start.js', '/docs/api/start.js'],
    ['/docs/swagger-ui.js', '/docs/api/swagger-ui.js'],
    ['/docs/swagger-ui.css', '/docs/api/swagger-ui.css'],
    ['/docs/favicon.png', '/docs/api/favicon.png'],
  ])('%s redirects to %s, which exists', async (path, location) => {
    const moved = await get(path);
    expect([moved.status, moved.headers.location]).toEqual([308, location]);
    expect((await get(location)).status).toBe(200);
  });
});

it.each([
  ['/docs/log-events', '/docs/reference/log-events'],
  ['/docs/log-events.html', '/docs/reference/log-events'],
  ['/docs/index.html', '/docs/'],
  ['/docs/start.html', '/docs/start'],
  ['/docs/start/', '/docs/start'],
  ['/docs/adr', '/docs/adr/'],
  ['/docs/adr/index.html', '/docs/adr/'],
])('%s redirects to the page %s', async (path, location) => {
  const { status, headers } = await get(path);
  expect([status, headers.location]).toEqual([308, location]);
});

it('the policy of a page allows its own inline script by digest, and no other script or host', async () => {
  const policy = String((await get('/docs/start')).headers['content-security-policy']);
  const digest = createHash('sha256').update(INLINE).digest('base64');
  expect(policy).toContain(`default-src 'none'; script-src 'self' 'sha256-${digest}';`);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
});

it.each([
  '/docs/nowhere',
  '/docs/nowhere.js',
  '/docs/.sources',
  '/docs/../package.json',
  '/docs/..%2fpackage.json',
  '/docs/%2e%2e/package.json',
  '/docs/assets/../../package.json',
  '/docs//etc/passwd',
  '/docsx',
])('no file outside of the site answers %s', async (path) => {
  const { status, body } = await get(path);
  expect(body).not.toContain('"name"');
  // /docsx is a path of the dashboard.
  expect(status).toBe(path === '/docsx' ? 200 : 404);
});

it('only GET and HEAD are allowed', async () => {
  const refused = await get('/docs/start', { method: 'POST' });
  expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD']);
  const head = await get('/docs/start', { method: 'HEAD' });
  expect([head.status, head.body]).toEqual([200, '']);
});

it('a site that is not built says how to build it, and is served once it exists', async () => {
  const later = join(dir, 'later');
  const other = await openApi({ siteDir: later });
  try {
    expect((await get('/docs/', { url: other.url })).body).toContain('npm run build -w @outdial/docs');
    for (const path of ['/docs/start', '/llms.txt']) expect((await get(path, { url: other.url })).status).toBe(404);
    await mkdir(later);
    await writeFile(join(later, 'index.html'), PAGE);
    expect((await get('/docs/', { url: other.url })).body).toBe(PAGE);
  } finally {
    await other.close();
  }
});
