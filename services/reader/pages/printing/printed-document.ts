import type { ContentCaller } from '../../../../shared/contract/caller.js';
import { notFound } from '../../../../shared/errors/errors.js';
import type { ListedGroup } from '../../../../shared/values/listed-pages.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import { FairTurns } from '../../../../shared/work/fair-turns.js';
import { isTurnOver, nextTurn } from '../../../../shared/work/slices.js';
import { decodeShownPage, type ShownPage, showPage } from '../../../content/contract.js';
import { fillMarks } from '../../marks/fill-marks.js';
import { renderPrintPage } from '../../parts/screens/print-page.js';
import { fillingOf } from '../../site/filling.js';
import type { OpenSite } from '../../site/open-site.js';
import type { ReaderDependencies } from '../../site/reader-context.js';

/** Pages of one document for printing, and the characters of their bodies. */
const maxPages = 1000;
const maxCharacters = 20_000_000;
const pagesAtOnce = 4;

/** A page to be printed; depth 0 for those of the first level. */
export interface PageToPrint {
  path: string;
  depth: number;
  /** The groups that begin with this page. */
  groups?: readonly ListedGroup[];
}

export interface PrintedPages {
  site: OpenSite;
  visitor: ContentCaller;
  pages: readonly PageToPrint[];
  /** By default that of the first page. */
  title: string | undefined;
}

/** Documents are large: few are made at once, and owners take turns. */
export const printTurns = () =>
  new FairTurns({ max: 2, maxOfOwner: 1, waiting: 3, busy: 'Too many documents are being made; try again later' });

interface PrintedDocument {
  html: string;
  title: string;
}

/** Pages in one document, as HTML. Throws 404 where there is none, and 503 when too many wait. */
export const printedDocument = (deps: ReaderDependencies, printed: PrintedPages): Promise<PrintedDocument> =>
  deps.prints.run(printed.visitor.organization, () => makeDocument(deps, printed));

async function makeDocument(
  deps: ReaderDependencies,
  { site, visitor, pages: listed, title }: PrintedPages,
): Promise<PrintedDocument> {
  const { pages, isCut } = await readPages(deps, visitor, listed);
  const [first] = pages;
  if (!first) throw notFound('Page');
  const within = new Map(pages.map(({ page }) => [page.path, anchorOf(page.id)]));
  const printed = [];
  for (const { page, body, depth, groups } of pages) {
    if (isTurnOver()) await nextTurn();
    const { id, description, emoji, icon } = page;
    const html = printedBody({ id, body, within, site });
    printed.push(
      omitUndefined({ anchor: anchorOf(id), title: page.title, depth, groups, description, emoji, icon, body: html }),
    );
  }
  const shown = title ?? first.page.title;
  return { html: renderPrintPage(site.model, { title: shown, isCut, pages: printed }), title: shown };
}

type Printed = Required<Pick<ShownPage, 'page' | 'body'>> & Pick<PageToPrint, 'depth' | 'groups'>;

async function readPages(
  deps: ReaderDependencies,
  visitor: ContentCaller,
  listed: readonly PageToPrint[],
): Promise<{ pages: Printed[]; isCut: boolean }> {
  const pages: Printed[] = [];
  let characters = 0;
  let at = 0;
  for (; at < Math.min(listed.length, maxPages) && characters < maxCharacters; at += pagesAtOnce) {
    const part = listed.slice(at, at + pagesAtOnce);
    // Each part has a deadline of its own: all together may take long.
    const call = deps.callAs(visitor);
    const found = await Promise.all(part.map(({ path }) => call(showPage, { visitor, path })));
    for (const [position, encoded] of found.entries()) {
      const shown = decodeShownPage(encoded);
      if (!shown?.page || !shown.body) continue;
      characters += shown.body.html.length;
      const { depth = 0, groups } = part[position] ?? {};
      pages.push({ page: shown.page, body: shown.body, depth, groups });
    }
  }
  return { pages, isCut: at < listed.length };
}

const anchorOf = (id: string) => `page-${id}`;

interface Body {
  id: string;
  body: Printed['body'];
  within: ReadonlyMap<string, string>;
  site: OpenSite;
}

/** A body among others: its anchors begin with the page that they are of, and links to pages lead within the document. */
function printedBody({ id, body, within, site }: Body): string {
  const { model, addresses } = site;
  const anchored = body.html
    .replace(/ (id|for|popovertarget|aria-describedby|aria-labelledby|name)="([^"]+)"/g, ` $1="${id}-$2"`)
    .replace(/ href="#([^"]+)"/g, ` href="#${id}-$1"`);
  return fillMarks(anchored, {
    ...fillingOf({ model, body, addresses }),
    page(path, anchor) {
      const target = within.get(path);
      if (target === undefined) return addresses.page(path, anchor);
      return anchor === undefined ? `#${target}` : `#${target.slice('page-'.length)}-${encodeURI(anchor)}`;
    },
  });
}
