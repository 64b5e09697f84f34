import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { type Exchange, send } from './reply.js';

/** The folder of the API reference's assets, from the npm package. */
export const referenceAssets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const referencePage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Bindery API</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const startScript = "SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true });\n";

const referencePolicy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

/** The API reference and the document it shows. `null`: not a page of ours. */
export function pageFor(path: string, openApi: string): ((exchange: Exchange) => Promise<void>) | null {
  const page = (type: string, text: string) => (exchange: Exchange) => {
    exchange.headers['Content-Security-Policy'] = referencePolicy;
    exchange.headers['Cache-Control'] = 'no-cache';
    return send(exchange, 200, type, text);
  };
  if (path === '/openapi.json') return page('application/json; charset=utf-8', openApi);
  if (path === '/docs' || path === '/docs/') return page('text/html; charset=utf-8', referencePage);
  if (path === '/docs/start.js') return page('text/javascript; charset=utf-8', startScript);
  return null;
}
