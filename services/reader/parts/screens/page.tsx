import type { VNode } from 'preact';
import { renderDocument } from '../frame/document.js';
import { iconStyle, sign } from '../frame/links.js';
import { sidebar } from '../frame/sidebar.js';
import type { PageModel, SiteModel } from '../page-model.js';
import { cover } from './page/cover.js';
import { pageActions } from './page/page-actions.js';
import { breadcrumbs, feedback, metadata, outline, pagination, tags } from './page/page-parts.js';

function pageHeader(site: SiteModel, page: PageModel): VNode {
  const { layout } = page;
  const icon = sign(iconStyle(site), page);
  return (
    <header class={layout.title ? 'page-header' : 'page-header visually-hidden'}>
      {layout.title && breadcrumbs(site, page)}
      <div class="title-row">
        <h1>
          {icon}
          <span>{page.title}</span>
        </h1>
        {layout.title && layout.actions && pageActions(site, page)}
      </div>
      {layout.title && layout.description && page.description && <p class="lead">{page.description}</p>}
      {layout.title && layout.tags && tags(site, page)}
    </header>
  );
}

function main(site: SiteModel, page: PageModel): VNode {
  const { layout, cover: image } = page;
  return (
    <main id="page:content" tabindex={-1}>
      <article class="page">
        {image && layout.cover && layout.coverSize === 'hero' && cover(image, layout)}
        {pageHeader(site, page)}
        {!layout.title && layout.description && page.description && <p class="lead">{page.description}</p>}
        <div class="body" dangerouslySetInnerHTML={{ __html: page.body }} />
      </article>
      {feedback(site, page)}
      {layout.pagination && site.customization.pagination.enabled && pagination(site, page)}
      {layout.metadata && metadata(site, page)}
    </main>
  );
}

const headOf = (page: PageModel) => ({
  title: page.title,
  description: page.description,
  canonical: page.canonical,
  alternates: page.alternates,
  robots: page.robots,
  socialImage: page.socialImage,
  markdown: page.markdown,
  rss: page.rss,
  kind: 'article' as const,
  modifiedAt: page.updatedAt,
});

/** Renders a page of a site: the whole document. `tree` is its table of contents (`treeWithCurrent`). */
export function renderPage(site: SiteModel, page: PageModel, tree: string): string {
  const { layout, cover: image } = page;
  const hasTree = layout.tableOfContents && tree !== '';
  const aside = layout.outline && layout.width !== 'wide' ? outline(site, page) : null;
  const kinds = [
    'frame',
    hasTree ? '' : 'without-tree',
    aside ? '' : 'without-outline',
    layout.width === 'wide' ? 'wide' : '',
    layout.anchors ? '' : 'without-anchors',
  ];
  return renderDocument(site, {
    head: headOf(page),
    kind: 'document',
    facts: { page: page.id },
    banner: image && layout.cover && layout.coverSize === 'full' && cover(image, layout),
    columns: (
      <div class={kinds.filter((kind) => kind !== '').join(' ')}>
        {sidebar(site, hasTree ? tree : undefined)}
        {main(site, page)}
        {aside}
      </div>
    ),
  });
}
