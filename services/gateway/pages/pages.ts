import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { Config } from '../../../shared/settings/config.js';
import { escapeHtml } from '../../../shared/text/escaped-html.js';
import { newSecret, sha256 } from '../../../shared/values/ids.js';
import { type Exchange, type NamedContent, sendContent, sendNamed } from '../http/reply.js';
import { basePathOf } from '../http/request.js';
import { yamlInSlices } from '../reference/yaml.js';
import { openHandbook } from './handbook.js';
import { createHome } from './home/home.js';
import type { Published } from './home/home-page.js';
import { type HtmlPage, handbookPolicy, renderHtml } from './html-page.js';

/** The folder of the API reference's assets, in the npm package. */
export const referenceAssets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const referencePage = (basePath: string) => (nonce: string) =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Bindery API</title>
<link rel="icon" href="${basePath}/docs/favicon-32x32.png">
<link rel="stylesheet" href="${basePath}/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="${basePath}/docs/swagger-ui-bundle.js" nonce="${nonce}"></script>
<script src="${basePath}/docs/start.js" nonce="${nonce}"></script>
</body>
</html>
`;

/** Requests go to the host that the page was opened on: its policy allows no other. */
const startScript = (basePath: string) => `'use strict';
const base = location.origin + ${JSON.stringify(basePath)};
fetch(base + '/openapi.json')
  .then((response) => response.json())
  .then((spec) =>
    SwaggerUIBundle({ spec: { ...spec, servers: [{ url: base + '/v1' }] }, dom_id: '#reference', deepLinking: true }),
  )
  .catch(() => {
    document.getElementById('reference').textContent = 'The server did not answer. Reload the page to try again.';
  });
`;

const referencePolicy = (nonce: string) =>
  `default-src 'none'; script-src 'nonce-${nonce}'; connect-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'`;

const html = 'text/html; charset=utf-8';
const javascript = 'text/javascript; charset=utf-8';

type Send = (exchange: Exchange) => Promise<void>;

/** Content that is the same for everybody: named, so that it is compressed once. */
const nameContent = (text: string): NamedContent => ({ bytes: Buffer.from(text), name: sha256(text) });

const pageSender = (type: string, text: string): Send => {
  const content = nameContent(text);
  return (exchange) => sendNamed(exchange, type, content);
};

/** Leads on for good; browsers keep the fragment, which had the codes of links in former mails. */
const redirectSender =
  (location: string): Send =>
  (exchange) => {
    exchange.headers.Location = location;
    return sendContent(exchange, 308, undefined);
  };

/**
 * A page that runs the scripts that it names, and no others: `'self'` would also allow the files that people upload, which have
 * the same origin.
 */
const pageWithScripts =
  (text: (nonce: string) => string, policy: (nonce: string) => string) => (exchange: Exchange) => {
    const nonce = newSecret(16);
    exchange.headers['Content-Security-Policy'] = policy(nonce);
    exchange.headers['Cache-Control'] = 'no-cache';
    return sendContent(exchange, 200, html, text(nonce));
  };

const contents = new WeakMap<HtmlPage, NamedContent>();

/** The whole of a page that is the same for everybody, made once. */
function nameContentOnce(shown: HtmlPage): NamedContent {
  const known = contents.get(shown) ?? nameContent(renderHtml(shown));
  contents.set(shown, known);
  return known;
}

/** A page that takes long to make, and is made when it is first asked for. */
function lazyPage(type: string, textOf: () => Promise<string>): Send {
  let content: Promise<NamedContent> | undefined;
  return async (exchange) => {
    content ??= textOf().then(nameContent);
    await sendNamed(exchange, type, await content);
  };
}

/** Where programs look for the OpenAPI document, also below the API's own base path. */
const documents = { json: ['/openapi.json', '/v1/openapi.json'], yaml: ['/openapi.yaml', '/v1/openapi.yaml'] };

interface Asked {
  /** Makes the OpenAPI document. */
  openApi: () => Promise<object>;
  /** Asks what is published on this server. */
  publishedSites: () => Promise<NonNullable<Published>>;
}

/** The pages outside the API, for browsers and programs, by path. */
export function createPages(
  { baseUrl, READER: reader }: Pick<Config, 'baseUrl' | 'READER'>,
  { openApi, publishedSites }: Asked,
): (path: string) => Send | null {
  const basePath = basePathOf(baseUrl);
  const inHtml = escapeHtml(basePath);
  const findInHandbook = openHandbook(`${basePath}/handbook`);
  const json = lazyPage('application/json; charset=utf-8', async () => JSON.stringify(await openApi()));
  const yaml = lazyPage('application/yaml; charset=utf-8', async () => yamlInSlices(await openApi()));
  const reference = pageWithScripts(referencePage(inHtml), referencePolicy);
  const pages = new Map<string, Send>([
    ['/', createHome({ baseUrl, basePath, reader }, publishedSites)],
    ...documents.json.map((path): [string, Send] => [path, json]),
    ...documents.yaml.map((path): [string, Send] => [path, yaml]),
    ['/docs', reference],
    ['/docs/', reference],
    ['/docs/start.js', pageSender(javascript, startScript(basePath))],
    ['/sign-in', redirectSender(`${basePath}/app/sign-in`)],
  ]);
  return (path) => {
    const [, address] = /^\/handbook((?:\/.+?)?)\/?$/.exec(path) ?? [];
    const found = address === undefined ? null : findInHandbook(address);
    if (!found) return pages.get(path) ?? null;
    return (exchange) => {
      exchange.headers['Content-Security-Policy'] = handbookPolicy;
      return typeof found === 'string'
        ? sendNamed(exchange, 'image/svg+xml', nameContent(found))
        : sendNamed(exchange, html, nameContentOnce(found));
    };
  };
}
