import { toDocument } from '../../document/document.js';
import type { JSONDocument, LinkKind } from '../../document/document-model.js';
import { type RenderOptions, renderBody } from '../render-body.js';
import type { RenderedBody, ShownFile, Surroundings } from '../rendered-body.js';

const image = (name: string): ShownFile => ({
  name,
  contentType: name.endsWith('.pdf') ? 'application/pdf' : 'image/png',
  size: 1_234_567,
  path: `/files/${name}?token=x`,
  dimensions: { width: 640, height: 360 },
});

/** A space with two pages, three files and a reusable content. */
export const surroundings: Surroundings = {
  pages: new Map([
    ['a.md', { path: 'guides/a', title: 'Page A', description: 'About A', icon: 'book' }],
    ['b.md', { path: 'b', title: 'Page B', emoji: '1f389' }],
  ]),
  files: new Map(['a.png', 'dark.png', 'paper.pdf'].map((name) => [name, image(name)])),
  reusable: new Map([['part.md', toDocument('## Shared\n\nShared text.', () => undefined)]]),
};

/** References by the ending of a URL; a name of a page or file that the space has not is a broken reference. */
function resolve(url: string, kind: LinkKind) {
  if (/^(?:[a-z]+:|#|\/\/)/i.test(url)) return undefined;
  if (kind === 'include') return { kind: 'reusable-content', reusableContent: url } as const;
  if (url.startsWith('space/')) return { kind: 'space', space: url } as const;
  const [page = '', anchor] = url.split('#');
  if (!page.endsWith('.md')) return { kind: 'file', file: page } as const;
  return anchor === undefined ? ({ kind: 'page', page } as const) : ({ kind: 'anchor', page, anchor } as const);
}

export const documentOf = (source: string): JSONDocument =>
  toDocument(source, resolve, { title: 'Title', blocks: 'all', tags: new Map([['new', 'New things']]) });

/** The HTML with its marks in `⟦⟧`. */
export const readable = (html: string): string => html.replaceAll('\u0001', '⟦').replaceAll('\u0002', '⟧');

export const bodyOf = (source: string, options?: RenderOptions): RenderedBody => {
  const body = renderBody(documentOf(source), surroundings, options);
  return { ...body, html: readable(body.html) };
};

export const htmlOf = (source: string, options?: RenderOptions): string => bodyOf(source, options).html;
