import { version } from '../../../shared/process/version.js';
import { escapeHtml } from '../../../shared/text/escaped-html.js';
import { prefersHtml } from '../http/accept.js';
import { type Exchange, sendJson } from '../http/reply.js';
import { sendPage } from './html-page.js';

export interface HomeOptions {
  baseUrl: string;
  /** The path of `baseUrl` without a trailing slash. */
  basePath: string;
  /** Whether people can sign in by mail. */
  signIn: boolean;
}

const summary = 'A self-hosted documentation platform behind one HTTP JSON API.';

function homePage({ basePath, signIn }: HomeOptions): string {
  const places = [
    ['/handbook', 'Handbook', 'How to use, run and change Bindery.'],
    ['/handbook/tour', 'Five-minute tour', 'From nothing to a searched repository.'],
    ['/docs', 'API reference', 'Every operation, to try with a token.'],
    ['/openapi.json', 'OpenAPI document', 'The same, for programs.'],
    [
      '/handbook/api/compatibility',
      'Compatibility',
      'Which operations of the public GitBook API this server implements.',
    ],
    ['/readyz', 'Readiness', 'Whether every service reaches its stores.'],
    ...(signIn ? [['/sign-in', 'Sign in', 'Get an API token by mail.']] : []),
  ];
  const entries = places.map(
    ([path, name, text]) => `<dt><a href="${escapeHtml(basePath + path)}">${name}</a></dt>\n<dd>${text}</dd>`,
  );
  return `<h1>Bindery</h1>
<p>${summary} Version ${escapeHtml(version)}.</p>
<dl>
${entries.join('\n')}
</dl>
<p>The API is below <code>${escapeHtml(basePath)}/v1</code> and takes an API token. The first start prints one; on the machine of the server,
<code>npm run token -- create --email &lt;address of a user&gt;</code> makes another.</p>`;
}

/** Describes this server and its addresses: as a page for browsers, as JSON for other clients. */
export function createHome(options: HomeOptions): (exchange: Exchange) => Promise<void> {
  const { baseUrl } = options;
  const main = homePage(options);
  const information = {
    name: 'Bindery',
    description: summary,
    version,
    urls: {
      api: `${baseUrl}/v1`,
      reference: `${baseUrl}/docs`,
      openapi: `${baseUrl}/openapi.json`,
      handbook: `${baseUrl}/handbook`,
      health: `${baseUrl}/readyz`,
    },
  };
  return (exchange) => {
    exchange.headers.Vary = exchange.headers.Vary ? `${exchange.headers.Vary}, Accept` : 'Accept';
    exchange.headers['Cache-Control'] = 'no-cache';
    return prefersHtml(exchange.request)
      ? sendPage(exchange, 200, { title: 'Documentation server', main })
      : sendJson(exchange, 200, information);
  };
}
