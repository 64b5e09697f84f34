import { resolveLinkPage, resolveRef, resolveRepositoryPath } from '../../core/revisions/references.js';
import { type PageEntry, pageAtPath, type RevisionView } from '../../core/revisions/revision-view.js';
import type { ContentRef } from '../../format/resources.js';
import { placeAtUrl } from '../pages/other-spaces/app-addresses.js';
import type { referenceRelations } from './resources.js';

/** The target of a link. All but `app` and the kinds beside the content are known to exist, but for their anchors. */
export type Target =
  | { kind: 'page'; page: string; anchor?: string | undefined }
  | { kind: 'file'; file: string }
  | { kind: 'reusable-content'; reusableContent: string; anchor?: string | undefined }
  | { kind: 'url'; url: string }
  | { kind: 'app'; url: string; place: AppPlace }
  | { kind: 'page-elsewhere'; space: string; page: string; anchor?: string | undefined }
  | { kind: 'space'; space: string }
  | { kind: 'collection'; collection: string }
  | { kind: 'user'; user: string }
  | { kind: 'openapi'; spec: string }
  | { kind: 'nothing' };

/** The target of an address in our own app; nothing of it is known to exist. */
export type AppPlace =
  | { kind: 'space'; space: string; path: string; anchor?: string | undefined }
  | { kind: 'collection'; collection: string }
  | { kind: 'other' };

/** A target and the way in which it is used. Equal keys: the same target in the same way. */
export interface LinkTarget {
  key: string;
  relation: (typeof referenceRelations)[number];
  target: Target;
  /** As it is written. */
  url: string;
}

/** Where links are resolved. */
export interface LinkScope {
  view: RevisionView;
  /** The public address of the server. */
  baseUrl: string;
}

/** A body with links: a page, or reusable content. */
export type LinkingBody = Pick<PageEntry, 'id' | 'git' | 'aliases'> & { kind: 'page' | 'reusable-content' };

/** A link as a body writes it. */
export interface WrittenLink {
  url: string;
  kind: string;
}

/** Characters. A longer address is none, nor is an image in the text itself. */
const maxUrlLength = 2048;
const isAddress = (url: string) => url !== '' && url !== '#' && url.length <= maxUrlLength && !/^\s*data:/i.test(url);

const relationOf = (kind: string) => (kind === 'include' || kind === 'openapi' ? 'dependsOn' : 'reference');

/** Resolves a link of a body; undefined for an address that leads nowhere by itself. */
export function targetOf(scope: LinkScope, from: LinkingBody, { url, kind }: WrittenLink): LinkTarget | undefined {
  if (!isAddress(url)) return undefined;
  const ref =
    kind === 'openapi' ? { kind, spec: url } : (resolveRef(scope.view, from, url, kind) ?? { kind: 'url', url });
  const target = targetOfRef(scope, from, ref);
  return withKey({ target, relation: relationOf(kind), url }, () => pathOf(from, url));
}

/** Resolves the target of a page that is a link of the navigation. */
export function targetOfLinkPage(scope: LinkScope, page: PageEntry): LinkTarget | undefined {
  if (!page.target) return undefined;
  const isUrl = page.target.kind === 'url';
  const url = isUrl ? String(page.target.url) : addressById(page.target);
  if (!isAddress(url)) return undefined;
  const ref = isUrl ? resolveLinkPage(scope.view, url) : page.target;
  const target = targetOfRef(scope, { ...page, kind: 'page' }, ref);
  return withKey({ target, relation: 'reference', url }, () => url.replace(/^\/+/, ''));
}

/** The address that names a target by its id. */
function addressById({ page, file, space, collection, user, anchor }: ContentRef): string {
  const inSpace = space === undefined ? '' : `/spaces/${space}`;
  const id = page ?? file ?? collection ?? user;
  const kind = page ? 'pages' : file ? 'files' : collection ? 'collections' : 'users';
  return `${inSpace}${id === undefined ? '' : `/${kind}/${id}`}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** `address` distinguishes targets that do not exist. */
function withKey({ target, relation, url }: Omit<LinkTarget, 'key'>, address: () => string): LinkTarget {
  const { kind, ...named } = target;
  const parts = kind === 'nothing' ? [address()] : Object.values(named).filter((part) => typeof part === 'string');
  return { key: [relation, kind, ...parts].join(' '), relation, target, url };
}

/** The path in the repository that a link names, with its anchor; the link itself where it leads out of the tree. */
function pathOf({ git }: LinkingBody, url: string): string {
  const [link = '', anchor] = url.split('#', 2);
  const plain = link.split('?', 1)[0] as string;
  return (resolveRepositoryPath(git?.path ?? '', plain) ?? plain) + (anchor ? `#${anchor}` : '');
}

function targetOfRef(scope: LinkScope, from: LinkingBody, ref: ContentRef): Target {
  const { view } = scope;
  const { space } = view.revision;
  const fieldOf = (field: string) => String(ref[field]);
  const inSpace = ref.space === undefined || ref.space === space ? space : fieldOf('space');
  switch (ref.kind) {
    case 'url':
      return targetOfUrl(scope, fieldOf('url'));
    case 'page':
    case 'anchor': {
      const anchor = ref.anchor === undefined ? undefined : fieldOf('anchor');
      if (ref.page === undefined) return ownAnchor(from, anchor);
      const page = fieldOf('page');
      if (inSpace !== space) return { kind: 'page-elsewhere', space: inSpace, page, anchor };
      return view.pageById.has(page) ? { kind: 'page', page, anchor } : { kind: 'nothing' };
    }
    case 'file':
      return view.fileById.has(fieldOf('file')) ? { kind: 'file', file: fieldOf('file') } : { kind: 'nothing' };
    case 'reusable-content':
      return reusableTarget(scope, fieldOf('reusableContent'));
    case 'space':
      return { kind: 'space', space: inSpace };
    case 'collection':
      return { kind: 'collection', collection: fieldOf('collection') };
    case 'user':
      return { kind: 'user', user: fieldOf('user') };
    case 'openapi':
      return { kind: 'openapi', spec: fieldOf('spec') };
    default:
      return { kind: 'nothing' };
  }
}

const ownAnchor = ({ kind, id }: LinkingBody, anchor: string | undefined): Target =>
  kind === 'page' ? { kind, page: id, anchor } : { kind, reusableContent: id, anchor };

function reusableTarget({ view }: LinkScope, id: string): Target {
  const known = reusableIds.get(view.reusable) ?? new Set(view.reusable.map((entry) => entry.id));
  reusableIds.set(view.reusable, known);
  return known.has(id) ? { kind: 'reusable-content', reusableContent: id } : { kind: 'nothing' };
}

const reusableIds = new WeakMap<RevisionView['reusable'], ReadonlySet<string>>();

const collectionInApp = /^\/c\/([a-zA-Z0-9]{1,40})\/?(?:[?#]|$)/;

function targetOfUrl({ baseUrl }: LinkScope, url: string): Target {
  const app = `${baseUrl}/app`;
  const rest = url.slice(app.length);
  if (!url.startsWith(app) || !/^(?:[/?#]|$)/.test(rest)) return { kind: 'url', url };
  const named = placeAtUrl(baseUrl, url);
  if (named) {
    const { space, page: path, anchor } = named;
    return { kind: 'app', url, place: { kind: 'space', space, path, anchor: anchor || undefined } };
  }
  const [, collection] = collectionInApp.exec(rest) ?? [];
  return { kind: 'app', url, place: collection === undefined ? { kind: 'other' } : { kind: 'collection', collection } };
}

/** The page that an address of our app names, within the content of its space; undefined for the space itself or no page. */
export const pageOfApp = (view: RevisionView, { path }: { path: string }): PageEntry | undefined =>
  path === '' ? undefined : pageAtPath(view, path);
