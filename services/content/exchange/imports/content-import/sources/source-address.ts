import { invalid } from '../../../../../../shared/errors/errors.js';
import { checkUrl } from '../../../../../../shared/outbound/address.js';
import type { ImportSource } from '../resources.js';

export interface Address {
  url: string;
  source: ImportSource;
}

/** Sites that show their pages only to who is signed in, or draw them with scripts, by how their host names end. */
const closed: [host: RegExp, how: string][] = [
  [
    /(?:^|\.)notion\.(?:so|site|com)$/,
    'in Notion, choose Export, "Markdown & CSV" or "HTML", put the ZIP file on a web server',
  ],
  [/(?:^|\.)atlassian\.(?:net|com)$/, 'in Confluence, export the space as HTML, put the ZIP file on a web server'],
];
const exported = /\.(?:zip|html?|md|markdown|docx)$/i;

/**
 * Checks the address of an import before any job: throws 400 for one that is not public, does not fit its source, or would need
 * an account. Returns it without credentials and query.
 */
export function checkSourceAddress({ url, source }: Address, allowCidrs: readonly string[]): string {
  const checked = checkUrl(url, { allowCidrs });
  if (!checked.ok) throw invalid(`url: ${checked.problem}`);
  const { hostname, pathname, origin } = checked.url;
  const how = closed.find(([host]) => host.test(hostname) && !exported.test(pathname))?.[1];
  if (how) throw invalid(`url: ${hostname} needs an account; ${how}, and give the address of that`);
  if (source === 'github-wiki') wikiRepositoryUrl(url);
  if (source === 'google-docs') googleExportUrl(url);
  return `${origin}${pathname}`;
}

/** The repository of a wiki. Throws 400 for another address. */
export function wikiRepositoryUrl(url: string): string {
  const address = new URL(url);
  address.hash = '';
  address.search = '';
  if (/\.wiki\.git\/?$/.test(address.pathname)) return address.href;
  const [, owner, name] = /^\/([\w.-]+)\/([\w.-]+)\/wiki(?:\/|$)/.exec(address.pathname) ?? [];
  if (address.hostname !== 'github.com' || owner === undefined)
    throw invalid('url: give https://github.com/<owner>/<repository>/wiki, or an address that ends in .wiki.git');
  address.pathname = `/${owner}/${name}.wiki.git`;
  return address.href;
}

/** Where a document of Google is exported; the address itself for one that was. Throws 400 for what is no document. */
export function googleExportUrl(url: string): string {
  const { hostname, pathname } = new URL(url);
  if (!/(?:^|\.)google\.com$/.test(hostname)) return url;
  const id = /^\/document\/(?:u\/\d+\/)?d\/([\w-]{10,200})(?:\/|$)/.exec(pathname)?.[1];
  if (hostname !== 'docs.google.com' || id === undefined || id === 'e')
    throw invalid(
      'url: give https://docs.google.com/document/d/<id>, or the address of a DOCX, HTML or ZIP file exported from it',
    );
  return `https://docs.google.com/document/d/${id}/export?format=docx`;
}
