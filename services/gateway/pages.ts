import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { type Exchange, send } from './reply.js';
import { signInPage, signInPolicy, signInScript, signInStyle } from './sign-in-page.js';

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

const html = 'text/html; charset=utf-8';
const javascript = 'text/javascript; charset=utf-8';
const css = 'text/css; charset=utf-8';

/** The API reference and the document it shows, and the page of sign-in mails. `null`: not a page of ours. */
export function pageFor(path: string, openApi: string): ((exchange: Exchange) => Promise<void>) | null {
  const page =
    (type: string, text: string, policy = referencePolicy) =>
    (exchange: Exchange) => {
      exchange.headers['Content-Security-Policy'] = policy;
      exchange.headers['Cache-Control'] = 'no-cache';
      return send(exchange, 200, type, text);
    };
  if (path === '/openapi.json') return page('application/json; charset=utf-8', openApi);
  if (path === '/docs' || path === '/docs/') return page(html, referencePage);
  if (path === '/docs/start.js') return page(javascript, startScript);
  if (path === '/sign-in') return page(html, signInPage, signInPolicy);
  if (path === '/sign-in/page.js') return page(javascript, signInScript, signInPolicy);
  if (path === '/sign-in/page.css') return page(css, signInStyle, signInPolicy);
  return null;
}
