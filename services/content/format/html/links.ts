import type { ContentRef } from '../resources.js';
import { marks } from './marks.js';
import { type Fields, readFields, textIn } from './read-data.js';
import type { PageBehindLink, ShownFile } from './rendered-body.js';
import { outsidePosition, type Rendering } from './rendering.js';

/** The target of a reference. */
export type ResolvedLink =
  | { kind: 'url'; href: string; external: boolean }
  | { kind: 'page'; href: string; page: PageBehindLink; anchor: string | undefined }
  | { kind: 'here'; href: string; anchor: string }
  | { kind: 'file'; href: string; file: ShownFile }
  /** A thing out of the space, or a page of another one: what it is called and where it is, the reader of the page decides. */
  | { kind: 'outside'; href: string; title: string }
  | { kind: 'broken' }
  /** It names nothing. */
  | { kind: 'none' };

export function linkTargetOf(rendering: Rendering, given: unknown): ResolvedLink {
  const ref = readFields(given);
  const kind = textIn(ref.kind);
  const [space, page, anchor] = [textIn(ref.space), textIn(ref.page), textIn(ref.anchor)];
  if (kind === 'url') return targetOfUrl(textIn(ref.url));
  if (kind === 'file') return fileTarget(rendering, textIn(ref.file)) ?? { kind: 'broken' };
  if ((kind === 'page' || kind === 'anchor') && space === '') {
    if (kind === 'anchor' && page === '')
      return anchor === '' ? { kind: 'none' } : { kind: 'here', href: `#${anchor}`, anchor };
    return pageTarget(rendering, page, kind === 'anchor' ? anchor : '');
  }
  return kind === '' ? { kind: 'none' } : outsideTarget(rendering, kind, ref);
}

function pageTarget(rendering: Rendering, id: string, anchor: string): ResolvedLink {
  const page = rendering.surroundings.pages.get(id);
  if (!page) return { kind: 'broken' };
  const named = anchor === '' ? undefined : anchor;
  return { kind: 'page', href: marks.page(textIn(page.path), named), page, anchor: named };
}

/** The file of the space with an id; undefined where there is none. */
export function fileTarget(rendering: Rendering, id: string): (ResolvedLink & { kind: 'file' }) | undefined {
  const file = rendering.surroundings.files.get(id);
  return file && { kind: 'file', href: marks.file(textIn(file.path)), file };
}

function outsideTarget(rendering: Rendering, kind: string, ref: Fields): ResolvedLink {
  const position = outsidePosition(rendering, { ...ref, kind } as ContentRef);
  return { kind: 'outside', href: marks.outside(position), title: marks.outsideTitle(position) };
}

const scheme = /^([a-z][a-z0-9+.-]*):/i;

function targetOfUrl(url: string): ResolvedLink {
  const clean = cleanUrl(url);
  const named = scheme.exec(clean)?.[1]?.toLowerCase();
  if (clean === '' || clean === '#') return { kind: 'none' };
  if (named !== undefined && !['http', 'https', 'mailto', 'tel'].includes(named)) return { kind: 'none' };
  if (clean.startsWith('#')) return { kind: 'here', href: clean, anchor: clean.slice(1) };
  return { kind: 'url', href: clean, external: /^(?:https?:|[\\/]{2})/i.test(clean) };
}

/** Browsers leave out the control characters of an address, also within its scheme. */
const cleanUrl = (url: string) => url.replace(/\p{Cc}/gu, '').trim();

/** The address of an image; undefined for one that cannot be shown. */
export function imageAddress(rendering: Rendering, given: unknown): { src: string; file?: ShownFile } | undefined {
  const ref = readFields(given);
  if (ref.kind === 'url') {
    const url = cleanUrl(textIn(ref.url));
    if (/^data:image\/(?:png|jpe?g|gif|webp|avif|svg\+xml)[;,]/i.test(url)) return { src: url };
    const target = targetOfUrl(url);
    return target.kind === 'url' && !/^(?:mailto|tel):/i.test(url) ? { src: target.href } : undefined;
  }
  const target = ref.kind === 'file' ? fileTarget(rendering, textIn(ref.file)) : undefined;
  return target && { src: target.href, file: target.file };
}
