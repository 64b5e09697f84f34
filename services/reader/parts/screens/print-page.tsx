import type { VNode } from 'preact';
import type { ListedGroup } from '../../../../shared/values/listed-pages.js';
import { renderDocument } from '../frame/document.js';
import { iconStyle, sign, themedImage } from '../frame/links.js';
import { sketch } from '../frame/menus.js';
import type { SiteModel } from '../page-model.js';

/** A page within the document for printing. */
interface PrintedPage {
  /** Of its heading; links of bodies lead to it. */
  anchor: string;
  title: string;
  description?: string;
  emoji?: string;
  icon?: string;
  /** 0 for pages of the first level. */
  depth: number;
  /** The groups that begin with this page. */
  groups?: readonly ListedGroup[];
  /** HTML whose marks are filled with addresses within this document. */
  body: string;
}

interface PrintedSpace {
  title: string;
  /** ISO 8601. */
  updatedAt?: string;
  pages: PrintedPage[];
  /** Whether further pages were left out. */
  isCut?: boolean;
}

const maxShownDepth = 6;

const depthClass = (depth: number) => `depth-${Math.min(depth, maxShownDepth)}`;

function contents(site: SiteModel, { pages }: PrintedSpace): VNode {
  return (
    <nav class="print-contents" aria-label={site.words.allPages}>
      <ol>
        {pages.flatMap(({ anchor, title, depth, groups = [] }) => [
          ...groups.map((group) => <li class={`group ${depthClass(group.depth)}`}>{group.title}</li>),
          <li class={depthClass(depth)}>
            <a href={`#${encodeURIComponent(anchor)}`}>{title}</a>
          </li>,
        ])}
      </ol>
    </nav>
  );
}

/** The title of each page is a heading of the first level, so that the outline of a PDF has the headings of bodies below it. */
const printed = (site: SiteModel, page: PrintedPage): VNode => (
  <article class="page print-page">
    <h1 id={page.anchor}>
      {sign(iconStyle(site), page)}
      <span>{page.title}</span>
    </h1>
    {page.description && <p class="lead">{page.description}</p>}
    <div class="body" dangerouslySetInnerHTML={{ __html: page.body }} />
  </article>
);

/** All pages of a space in one document. */
export function renderPrintPage(site: SiteModel, space: PrintedSpace): string {
  const { words, formatDate } = site;
  return renderDocument(site, {
    head: { title: space.title, robots: 'noindex' },
    kind: 'printed',
    plain: true,
    columns: (
      <main id="page:content">
        <header class="print-cover">
          {site.logo && themedImage(site.logo, site.title, 'logo')}
          <p class="print-title">{space.title}</p>
          {space.updatedAt && <p>{formatDate(space.updatedAt)}</p>}
          <button type="button" class="button button-primary needs-script" data-print>
            {sketch('print')}
            {words.print}
          </button>
        </header>
        {space.pages.length > 1 && contents(site, space)}
        {space.pages.map((page) => printed(site, page))}
        {space.isCut && <p class="cut">{words.tooLong}</p>}
      </main>
    ),
  });
}
