import { createHash } from 'node:crypto';
import { escapeHtml } from '../../../shared/text/escaped-html.js';
import { type Exchange, sendMessage } from '../http/reply.js';

const style = `
:root { color-scheme: light dark; --text: #1a1a1a; --paper: #fff; --soft: #f4f5f7; --line: #767676; --link: #1a56b0 }
@media (prefers-color-scheme: dark) { :root { --text: #eee; --paper: #16181c; --soft: #22252b; --line: #8b8f98; --link: #8ab4f8 } }
body { margin: 0; font: 1rem/1.6 system-ui, sans-serif; color: var(--text); background: var(--paper); overflow-wrap: break-word }
img { max-width: 100% }
main { max-width: 44rem; margin: 0 auto; padding: 2rem 1.5rem 4rem }
h1, h2, h3 { line-height: 1.25 }
a { color: var(--link) }
:focus-visible { outline: 3px solid #e8a100; outline-offset: 2px }
code, pre { font-family: ui-monospace, monospace; font-size: .9em }
:not(pre) > code { padding: .1em .3em; background: var(--soft); border-radius: .25rem }
pre { padding: 1rem; overflow-x: auto; background: var(--soft); border-radius: .25rem }
table { display: block; overflow-x: auto; border-collapse: collapse }
th, td { padding: .4rem .7rem; border: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: normal }
aside { padding: .1rem 1rem; background: var(--soft); border-left: 4px solid var(--link) }
dt { font-weight: 600; margin-top: 1rem }
dd { margin: 0 }
.book nav { padding: 1rem 1.5rem; font-size: .95rem; background: var(--soft) }
.book nav ul { padding-left: 1rem; list-style: none }
.book nav [aria-current] { font-weight: 600; color: inherit }
@media (min-width: 60rem) {
  .book { display: grid; grid-template-columns: 19rem minmax(0, 1fr) }
  .book nav { position: sticky; top: 0; height: 100vh; box-sizing: border-box; overflow-y: auto }
  .book main { width: 100%; box-sizing: border-box; max-width: 56rem; margin: 0 }
}
`;

/** Allows one style, and forms to go where `forms` says, and nothing else. */
export const policyFor = (allowed: string, forms: string): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(allowed).digest('base64')}'`,
    "base-uri 'none'",
    `form-action ${forms}`,
    "frame-ancestors 'none'",
  ].join('; ');

/** For pages without a form. */
const pagePolicy = policyFor(style, "'none'");
/** Shows pictures of this host too. */
export const handbookPolicy = `${pagePolicy}; img-src 'self'`;
const formPolicy = policyFor(style, "'self'");

export interface HtmlPage {
  title: string;
  /** HTML; text from elsewhere is escaped. */
  main: string;
  /** HTML before `main`. */
  nav?: string;
  /** Whether it has a form, which is sent to us. */
  hasForm?: boolean;
}

/** The whole of a page; with a form it needs `formPolicy`. */
export const renderHtml = ({ title, main, nav }: HtmlPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – Bindery</title>
<style>${style}</style>
</head>
<body${nav === undefined ? '' : ' class="book"'}>
${nav ?? ''}<main>
${main}
</main>
</body>
</html>
`;

/** Ends the exchange with an HTML page. */
export function sendPage(exchange: Exchange, status: number, page: HtmlPage): Promise<void> {
  exchange.headers['Content-Security-Policy'] = page.hasForm ? formPolicy : pagePolicy;
  return sendMessage(exchange, status, 'text/html; charset=utf-8', renderHtml(page));
}
