import { isPlainAddress } from '../../../../shared/text/plain-text.js';
import type { DocumentRef } from '../document/document-model.js';

const ID = '[a-zA-Z0-9]{1,40}';
const RESOURCE = new RegExp(`^/(users|pages|spaces|collections|files)/(${ID})$`);
const PAGE_OF_SPACE = new RegExp(`^/spaces/(${ID})/pages/(${ID})$`);
const ABSOLUTE = /^(?:https?:\/\/|mailto:)/i;
/** An address up to where no scheme can follow. Browsers decode references in addresses that some writers of HTML leave as they are. */
const BEGINNING = /^[^/?#]*/;

/** Resolves the address of a link; undefined for one that a text may not link to. */
export function refOfAddress(url: string): DocumentRef | undefined {
  if (url === '' || !isPlainAddress(url)) return undefined;
  const [, space, page] = PAGE_OF_SPACE.exec(url) ?? [];
  if (space !== undefined && page !== undefined) return { kind: 'page', page, space };
  const [, resource, id] = RESOURCE.exec(url) ?? [];
  if (resource !== undefined && id !== undefined) return refOfResource(resource, id);
  return isLinkable(url) ? { kind: 'url', url: percentEncodeUnsafe(url) } : undefined;
}

export const isLinkable = (url: string): boolean => ABSOLUTE.test(url) || !/[:&]/.test(BEGINNING.exec(url)?.[0] ?? ':');

/** Without characters that would end the address in Markdown. */
const percentEncodeUnsafe = (url: string) => url.replace(/[\s<>"`\\^{}|]/g, encodeURIComponent);

function refOfResource(resource: string, id: string): DocumentRef | undefined {
  switch (resource) {
    case 'users':
      return { kind: 'user', user: id };
    case 'pages':
      return { kind: 'page', page: id };
    case 'spaces':
      return { kind: 'space', space: id };
    case 'collections':
      return { kind: 'collection', collection: id };
    default:
      return { kind: 'file', file: id };
  }
}

/** The address of a target; undefined for one that a text may not link to. */
export function addressOfRef(ref: DocumentRef): string | undefined {
  switch (ref.kind) {
    case 'url':
      return ref.url;
    case 'user':
      return `/users/${ref.user}`;
    case 'page':
      return ref.space === undefined ? `/pages/${ref.page}` : `/spaces/${ref.space}/pages/${ref.page}`;
    case 'space':
      return `/spaces/${ref.space}`;
    case 'collection':
      return `/collections/${ref.collection}`;
    case 'file':
      return `/files/${ref.file}`;
    default:
      return undefined;
  }
}
