import { createHash } from 'node:crypto';

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g;

/**
 * The policy of one page of the site. VitePress puts two small scripts into every page, which set its colors before it is
 * drawn. The policy names them by their digests, so that no other inline script runs. Its highlighted code carries style
 * attributes.
 */
export function sitePolicy(html: string): string {
  const digests = [...html.matchAll(INLINE_SCRIPT)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    ["script-src 'self'", ...new Set(digests)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Outdial documentation</title>
  </head>
  <body>
    <h1>The documentation is not built yet</h1>
    <p><code>npm start</code> builds it in the background: reload this page in a minute.</p>
    <p>Otherwise run <code>npm run build -w @outdial/docs</code> in the repository.</p>
    <p>The <a href="/docs/api">API reference</a> is available.</p>
  </body>
</html>
`;

/** The page that stands in for a site that is not built. */
export const NOT_BUILT_PAGE = Buffer.from(NOT_BUILT);
