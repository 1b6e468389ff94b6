/** The page of the reference. It loads the document in the browser. */
export const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Outdial API reference</title>
    <link rel="icon" type="image/png" href="/docs/api/favicon.png" />
    <link rel="stylesheet" href="/docs/api/swagger-ui.css" />
    <script src="/docs/api/swagger-ui.js" defer></script>
    <script src="/docs/api/start.js" defer></script>
  </head>
  <body>
    <div id="reference"></div>
    <noscript>This page needs scripts. The document that it shows is <a href="/api/v1/openapi.json">here</a>.</noscript>
  </body>
</html>
`;

/** A separate file: the page's policy allows no inline script. */
export const START_SCRIPT = `if (matchMedia('(prefers-color-scheme: dark)').matches) document.documentElement.classList.add('dark-mode');
SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  // By default the page sends the document to a third-party validator.
  validatorUrl: null,
  // The page's address cannot select another document.
  queryConfigEnabled: false,
});
`;

/** Everything is loaded from this server, and nothing is sent elsewhere. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
