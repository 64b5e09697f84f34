import { posix } from 'node:path';
import { escapeAddress } from '../../../../shared/text/escaped-address.js';
import { pathSegment } from '../../../../shared/text/path-segment.js';
import { eachInSlices } from '../../../../shared/work/slices.js';
import type { PageDocument } from '../../core/revisions/model.js';
import {
  includeCandidates,
  isAbsoluteUrl,
  mayPathMeanFile,
  pageAtRepositoryPath,
  resolveRef,
  resolveRepositoryPath,
} from '../../core/revisions/references.js';
import type { RevisionView } from '../../core/revisions/revision-view.js';
import { composeLetters, findKnownPath } from '../../format/space/path-names.js';

/** Content whose links are written for the repository. */
export interface LinkingItem {
  /** The path of its file until now; absent for content without a file so far. */
  git?: { path: string } | undefined;
}

interface Addressing {
  view: RevisionView;
  /** The paths of files by the ids of their items, and those that items had which are gone. */
  pathOf(id: string): string | undefined;
}

type Link = PageDocument['links'][number];

/**
 * The addresses, by `<kind> <url>`, of links that are written anew: links by id lead to files, and those by path still lead where they
 * did. `path`: where the file of the item is now.
 */
export async function rewriteAddresses(
  addressing: Addressing,
  { item, path }: { item: LinkingItem; path: string },
  links: readonly Link[],
): Promise<Map<string, string>> {
  const addresses = new Map<string, string>();
  await eachInSlices(links, (link) => {
    const address = rewriteAddress(addressing, { item, path }, link);
    if (address !== undefined) addresses.set(`${link.kind} ${link.url}`, address);
  });
  return addresses;
}

const byId = /^\/(pages|files)\/([a-zA-Z0-9]{1,40})\/?$/;

/** The new address of one link; undefined where it stays as it is written. */
export function rewriteAddress(
  { view, pathOf }: Addressing,
  { item, path }: { item: LinkingItem; path: string },
  { url, kind }: Link,
): string | undefined {
  if (url === '' || url.startsWith('#') || isAbsoluteUrl(url)) return undefined;
  const end = url.search(/[?#]/);
  const [link, rest] = end < 0 ? [url, ''] : [url.slice(0, end), url.slice(end)];
  const former = item.git?.path ?? '';
  const at = resolveRepositoryPath(former, link);
  const isPath = at !== undefined && isKnownPath(view, at);
  const [, , id] = (isPath ? undefined : byId.exec(link)) ?? [];
  const ref = resolveRef(view, { ...(item.git ? { git: { ...item.git, oid: '' } } : {}) }, url, kind);
  const target = id ?? [ref?.page, ref?.file, ref?.reusableContent].find((each) => typeof each === 'string');
  const to = target === undefined ? undefined : pathOf(String(target));
  if (to === undefined)
    return item.git && id === undefined ? relocateAddress({ link, from: former, to: path }, rest) : undefined;
  const now = resolveRepositoryPath(path, link);
  const stays =
    kind === 'include'
      ? includeCandidates(path, link).some((each) => composeLetters(each) === composeLetters(to))
      : now !== undefined && mayPathMeanFile(now, to);
  if (id === undefined && stays) return undefined;
  return id !== undefined && to === path && rest.startsWith('#')
    ? escapeAddress(rest)
    : relativeAddress(path, to) + escapeAddress(rest);
}

const isKnownPath = (view: RevisionView, path: string): boolean =>
  findKnownPath(view.fileByPath, path) !== undefined || pageAtRepositoryPath(view, path) !== undefined;

/** A link to something that is no item of the space, from a file that moves to another folder. */
function relocateAddress(
  { link, from, to }: { link: string; from: string; to: string },
  rest: string,
): string | undefined {
  if (link.startsWith('/') || posix.dirname(from) === posix.dirname(to)) return undefined;
  const target = resolveRepositoryPath(from, link);
  return target === undefined ? undefined : relativeAddress(to, target) + escapeAddress(rest);
}

/** The address of a file as another names it. */
const relativeAddress = (from: string, to: string): string =>
  (posix.relative(posix.dirname(from), to) || posix.basename(to)).split('/').map(pathSegment).join('/');
