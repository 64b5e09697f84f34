import { apiError, notFound } from '../../../../shared/errors/errors.js';
import { sha256 } from '../../../../shared/values/ids.js';
import { listedPages } from '../../../../shared/values/listed-pages.js';
import { openPrinting, type TreeEntry } from '../../../content/contract.js';
import type { ReaderAnswer } from '../../contract.js';
import type { RequestPlace } from '../../site/addresses.js';
import { redirect } from '../../site/answers.js';
import { type OpenSite, openSite } from '../../site/open-site.js';
import type { ReaderDependencies, SiteRequest } from '../../site/reader-context.js';
import { customizationOf } from '../../site/site-model.js';
import type { SpaceTree } from '../../site/site-trees.js';
import { makingAnswer, pdfFileAnswer } from './pdf-answers.js';
import { type PageToPrint, type PrintedPages, printedDocument } from './printed-document.js';
import { selfContained } from './self-contained.js';
import { openSpace } from './space-alone.js';

/** The path of the page that is asked for; null for all of the space. */
const wantedOf = ({ url }: SiteRequest): string | null => url.searchParams.get('page');

/** All pages of a space in one document, or one page (`?page=`). */
export async function printAnswer(deps: ReaderDependencies, asked: SiteRequest): Promise<ReaderAnswer> {
  const tree = await deps.trees.treeOf(asked.visit.visitor);
  const site = await openSite(deps, asked);
  const { html } = await printedDocument(deps, printedPages(asked, tree, site));
  return { status: 200, headers: site.headers, body: html, kind: 'print' };
}

function printedPages(asked: SiteRequest, tree: SpaceTree, site: OpenSite): PrintedPages {
  const wanted = wantedOf(asked);
  const { visitor } = asked.visit;
  return wanted === null
    ? { site, visitor, pages: pagesOf(tree), title: site.model.title }
    : { site, visitor, pages: [{ path: wanted, depth: 0 }], title: undefined };
}

const kinds = {
  isPage: ({ kind }: TreeEntry) => kind === 'document',
  isGroup: ({ kind }: TreeEntry) => kind === 'group',
};

const pagesOf = ({ pages }: SpaceTree): PageToPrint[] =>
  Array.from(listedPages(pages, kinds), ({ page: { path }, depth, groups }) => ({ path, depth, groups }));

/** The same as a PDF; the page for printing where this server makes none, and where this one cannot be made. */
export async function pdfAnswer(deps: ReaderDependencies, asked: SiteRequest): Promise<ReaderAnswer> {
  const { visit, url, rootPath } = asked;
  const customization = customizationOf(visit);
  if (!customization.pdf.enabled) throw notFound('PDF');
  if (!deps.pdfs) return printAnswer(deps, asked);
  const tree = await deps.trees.treeOf(visit.visitor);
  const site = await openSite(deps, asked);
  const { until: _, ...visitor } = visit.visitor;
  const key = [tree.key, visitor, visit.shown.basePath, url.origin, rootPath, customization, site.model.lang];
  const found = await pdfOf(deps, asked, { key: [...key, wantedOf(asked)], printed: printedPages(asked, tree, site) });
  return found ?? redirect(302, `${visit.shown.basePath}~print${url.search}`);
}

/** The pages at an address that the API gave for a space or a change request. */
export async function spacePdfAnswer(deps: ReaderDependencies, place: RequestPlace): Promise<ReaderAnswer> {
  const token = place.url.searchParams.get('token') ?? '';
  const printing = (await deps.callAs({ kind: 'anonymous' })(openPrinting, { token })).decode();
  if (!printing || !deps.pdfs) throw notFound('PDF');
  const { visitor, pages, isPart, title } = printing;
  const { key } = await deps.trees.treeOf(visitor);
  const site = await openSpace(deps, place, printing);
  const printed = { site, visitor, pages, title: isPart ? undefined : title };
  const found = await pdfOf(deps, place, { key: [key, visitor, pages, title, isPart, place.url.origin], printed });
  if (!found) throw apiError('UNPROCESSABLE', 'The content is too large for a PDF', 'too_complex');
  return found;
}

interface Wanted {
  /** All that the PDF depends on. */
  key: unknown[];
  printed: PrintedPages;
}

/** Null where the PDF cannot be made. */
async function pdfOf(
  deps: ReaderDependencies,
  { url, rootPath }: RequestPlace,
  { key, printed }: Wanted,
): Promise<ReaderAnswer | null> {
  const { visitor, site } = printed;
  const name = sha256(JSON.stringify(key)).slice(0, 32);
  const found = await deps.pdfs?.find(name, visitor.organization, async () => {
    const { html, title } = await printedDocument(deps, printed);
    return { title, html: await selfContained(deps, html, { visitor, site, origin: url.origin, rootPath }) };
  });
  if (found === 'making') return makingAnswer(deps, site.model, rootPath);
  return found ? pdfFileAnswer(found, name) : null;
}
