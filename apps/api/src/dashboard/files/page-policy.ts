/**
 * All files come from this host, and no script is inline. Mantine writes variables into `<style>` and style attributes,
 * recordings play from `blob:`, and a frame shows the queues. Worklets of sound are scripts.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "media-src 'self' blob:",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Members talk with an agent by microphone. The page asks for nothing else that a browser asks a person for, and no frame of
 * another host may.
 */
export const PAGE_PERMISSIONS = [
  'camera=()',
  'display-capture=()',
  'geolocation=()',
  'microphone=(self)',
  'midi=()',
  'payment=()',
  'usb=()',
].join(', ');

/** Served while the dashboard is not built. */
export const NOT_BUILT_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Outdial</title>
  </head>
  <body>
    <h1>The dashboard is not built</h1>
    <p>Run <code>npm run build -w @outdial/dashboard</code> in the repository, then reload this page.</p>
    <p>The interface works without it: see <a href="/docs/api">the reference</a>.</p>
  </body>
</html>
`;
