import type { Call } from '../../../../shared/contract/service.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { isActiveKey, looksLikeKey } from '../../publishing/share-keys.js';
import type { HasDomainOwners } from '../../site/domain-owners.js';
import type { HasConfig } from '../../site/urls.js';
import type { HasStructureCache } from '../../structure/structure-cache.js';
import { type Asked, parseURL, siteAt } from '../hosts.js';
import { locate, readable } from '../locate.js';

type Dependencies = HasStore & HasConfig & HasDomainOwners & HasStructureCache;

/** The content that an address names, whether or not it exists. */
export type NamedContent =
  | { collection: string }
  | {
      space: string;
      /** Its id or its number. */
      changeRequest?: string | undefined;
      /** The path of a page, or its id; empty for none. */
      page?: string | undefined;
    };

/** Finds what an address of the app, of the API or of a site names; null for any other. Throws 400 for a text that is no http(s) URL. */
export async function contentNamedBy(deps: Dependencies, call: Call, url: string): Promise<NamedContent | null> {
  const asked = parseURL(url);
  const base = parseURL(deps.config.baseUrl);
  const isOwn = asked.host === base.host && base.segments.every((segment, at) => asked.segments[at] === segment);
  const [mark, ...rest] = isOwn ? asked.segments.slice(base.segments.length).map(readable) : [];
  if (mark === 'app') return contentInApp(rest);
  if (mark === 'v1') return contentInApi(rest);
  return contentOnSite(deps, call, asked);
}

/** As in `/app/s/<space>/~/changes/<number>/~/read/<page>`. */
function contentInApp([kind, id, ...below]: string[]): NamedContent | null {
  if (id === undefined) return null;
  if (kind === 'c') return { collection: id };
  if (kind !== 's') return null;
  if (below[0] !== '~') return { space: id, page: below.join('/') };
  const [, screen, changeRequest, mark, ...deeper] = below;
  if (screen !== 'changes' || changeRequest === undefined || changeRequest === 'new')
    return { space: id, page: pageOfScreen(below.slice(1)) };
  return { space: id, changeRequest, page: mark === '~' ? pageOfScreen(deeper) : undefined };
}

/** The page that a screen of the app shows; undefined for one that shows none. */
function pageOfScreen([screen, ...rest]: string[]): string | undefined {
  if (screen === 'read' || screen === 'edit') return rest.join('/');
  return screen === 'revisions' ? rest.slice(1).join('/') : undefined;
}

/** As in `/v1/spaces/<space>/change-requests/<id>/content/path/<page>`. */
function contentInApi([kind, id, ...below]: string[]): NamedContent | null {
  if (id === undefined) return null;
  if (kind === 'collections') return { collection: id };
  if (kind !== 'spaces') return null;
  const [part, changeRequest] = below;
  const inRequest = part === 'change-requests' && changeRequest !== undefined;
  const [content, by, ...page] = inRequest ? below.slice(2) : below;
  const isPage = content === 'content' && (by === 'path' || by === 'page');
  const named = by === 'page' ? page[0] : page.join('/');
  return { space: id, ...(inRequest ? { changeRequest } : {}), page: isPage ? named : undefined };
}

async function contentOnSite(deps: Dependencies, call: Call, asked: Asked): Promise<NamedContent | null> {
  const hosted = await siteAt(deps, { call, asked });
  if (!hosted) return null;
  const { site, used } = hosted;
  const key = asked.segments[used];
  const hasKey = key !== undefined && looksLikeKey(key) && (await isActiveKey(deps.store, { site: site._id, key }));
  const whole = await deps.structureCache.structureOf(site);
  const located = locate({ whole, structure: whole }, asked.segments.slice(hasKey ? used + 1 : used));
  if (!located) return null;
  const { placed, requested, rest } = located;
  return {
    space: placed.siteSpace.space,
    ...(requested?.kind === 'changes' ? { changeRequest: requested.id } : {}),
    page: rest.map(readable).join('/'),
  };
}
