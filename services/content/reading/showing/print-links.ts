import type { ContentCaller } from '../../../../shared/contract/caller.js';
import { Encoded } from '../../../../shared/contract/encoded.js';
import type { Call } from '../../../../shared/contract/service.js';
import { isExpected } from '../../../../shared/errors/errors.js';
import type { SignedTokens } from '../../../../shared/secrets/signed-tokens.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { listedPages } from '../../../../shared/values/listed-pages.js';
import { findMemberRoles } from '../../core/access/member-roles.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import { spaces } from '../../core/nodes/model.js';
import { spaceKind } from '../../core/resources.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import { type PageEntry, type RevisionView, replaceComputed } from '../../core/revisions/revision-view.js';
import type { Printing } from '../contract/printing.js';
import type { HasViews } from '../pages/visitors/visitor-view-cache.js';
import { shownPath } from './page-places.js';
import { viewOfVisitor } from './visited-view.js';

/** The payload of the signed address of a PDF. */
export interface PrintLink {
  organization: string;
  space: string;
  /** The id of a change request. */
  changeRequest?: string;
  page?: string;
  only?: true;
  /** Who asked for it. */
  user?: string;
}

/** Reads a space as a visitor without claims would: it is of no site. */
export const visitorOfLink = ({ organization, space, changeRequest }: PrintLink): ContentCaller => ({
  kind: 'content',
  organization,
  site: '',
  siteSpace: '',
  space,
  spaces: [space],
  claims: {},
  ...(changeRequest === undefined ? {} : { changeRequest: { space, id: changeRequest } }),
});

/** The pages that a link is for, in their order; a page that is asked for may be hidden. */
export function printedPages(view: RevisionView, { page, only }: PrintLink): Printing['pages'] {
  if (page === undefined) return listed(view, view.pages, 0);
  const first = view.pageById.get(page);
  if (!first) return [];
  const own = first.type === 'document' ? [{ path: shownPath(view, first), depth: 0, groups: [] }] : [];
  return only ? own : [...own, ...listed(view, first.pages, own.length)];
}

const kinds = {
  shown: (pages: readonly PageEntry[]) => replaceComputed(pages).filter(({ hidden }) => !hidden),
  isPage: ({ type }: PageEntry) => type === 'document',
  isGroup: ({ type }: PageEntry) => type === 'group',
};

const listed = (view: RevisionView, pages: readonly PageEntry[], from: number): Printing['pages'] =>
  Array.from(listedPages(pages, kinds, from), ({ page, depth, groups }) => ({
    path: shownPath(view, page),
    depth,
    groups,
  }));

type Dependencies = HasStore & HasRevisions & HasViews & HasTrees;

/** The content that a signed address shows; null where it is not valid any more, and for a user who may not view the space any more. */
export async function openPrintLink(
  deps: Dependencies & { tokens: SignedTokens },
  token: string,
  call: Call,
): Promise<Encoded<Printing | null>> {
  const payload = await deps.tokens.verify(token);
  // Needs no validation: only what was signed here has this purpose.
  const link = payload as PrintLink | null;
  if (!link) return Encoded.of(null);
  const { organization, space, user } = link;
  const node = (await deps.trees.treeOf(organization)).get(space);
  if (node?.kind !== 'space' || node.deleted) return Encoded.of(null);
  if (user !== undefined) {
    const role = (await findMemberRoles(deps, { organization, space, users: [user] }, call)).get(user)?.role;
    if (role === undefined || !spaceKind.rights.view.includes(role)) return Encoded.of(null);
  }
  const visitor = visitorOfLink(link);
  const [visited, document] = await Promise.all([
    viewOfVisitor(deps, visitor).catch(nullIfExpected),
    deps.store.get(spaces, space, { fields: ['title', 'language'] }),
  ]);
  if (!visited || !document) return Encoded.of(null);
  const { title, language } = document;
  const pages = printedPages(visited.view, link);
  const isPart = link.page !== undefined;
  return Encoded.of({ visitor, title, pages, isPart, ...(language === undefined ? {} : { language }) });
}

function nullIfExpected(error: unknown): null {
  if (isExpected(error)) return null;
  throw error;
}
