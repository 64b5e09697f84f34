import type { VNode } from 'preact';
import { contentContract } from '../../content/contract.js';
import type { CollectionResource, Space } from '../../content/resources.js';
import { Emblem, sign } from '../elements/elements.js';
import type { ScreenRequest } from '../frame/screen.js';

/** The most spaces and collections that the navigation shows; the search finds the others. */
const maxNodes = 1000;

export interface OrganizationContent {
  spaces: Space[];
  collections: CollectionResource[];
}

/** The spaces and collections of an organization that a person may read. */
export async function contentOf(
  { call }: Pick<ScreenRequest, 'call'>,
  organizationId: string,
): Promise<OrganizationContent> {
  const list = { path: { organizationId }, query: { limit: maxNodes } };
  const [spaces, collections] = await Promise.all([
    call(contentContract.listSpacesInOrganizationById, list),
    call(contentContract.listCollectionsInOrganizationById, list),
  ]);
  return { spaces: spaces.items, collections: collections.items };
}

type Navigating = Pick<ScreenRequest, 'to' | 'words'>;

interface Current {
  organization: string;
  /** The address that is shown. */
  here: string;
}

/** The navigation of an organization: its collections with what is in them, and its other screens. */
export function organizationNavigation(
  { to, words: { home } }: Navigating,
  content: OrganizationContent,
  { organization, here }: Current,
): VNode {
  const entry = (href: string, icon: string, title: string) => (
    <li>
      <a href={href} aria-current={href === here ? 'page' : undefined}>
        {sign(icon)} <span>{title}</span>
      </a>
    </li>
  );
  return (
    <>
      <ul>
        {entry(to.organization(organization), 'house', home.spaces)}
        {entry(to.sites(organization), 'globe', home.sites)}
        {entry(to.members(organization), 'user', home.members)}
        {entry(to.teams(organization), 'users', home.teams)}
        {entry(to.specs(organization), 'code', home.specs)}
        {entry(to.installations(organization), 'plug', home.integrations)}
        {entry(to.drafts(organization), 'pen', home.drafts)}
        {entry(to.trash(organization), 'trash', home.trash)}
        {entry(to.organizations, 'building', home.allOrganizations)}
      </ul>
      {nodesBelow({ to }, nodesByParent(content), { parent: undefined, here, depth: 0 })}
    </>
  );
}

const maxDepth = 20;

/** Collections and spaces by the collection that they are in; those whose collection the person may not see stand at the top. */
function nodesByParent({ collections, spaces }: OrganizationContent): Map<string | undefined, OrganizationContent> {
  const known = new Set(collections.map(({ id }) => id));
  const byParent = new Map<string | undefined, OrganizationContent>();
  const nodesIn = ({ parent }: { parent?: string | undefined }): OrganizationContent => {
    const shown = parent !== undefined && known.has(parent) ? parent : undefined;
    const nodes = byParent.get(shown) ?? { collections: [], spaces: [] };
    byParent.set(shown, nodes);
    return nodes;
  };
  for (const collection of collections) nodesIn(collection).collections.push(collection);
  for (const space of spaces) nodesIn(space).spaces.push(space);
  return byParent;
}

interface Below {
  parent: string | undefined;
  here: string;
  depth: number;
}

/** The collections and spaces in a collection. */
function nodesBelow(
  { to }: Pick<Navigating, 'to'>,
  byParent: ReadonlyMap<string | undefined, OrganizationContent>,
  { parent, here, depth }: Below,
): VNode | null {
  const nodes = byParent.get(parent);
  if (!nodes || depth > maxDepth) return null;
  const { collections, spaces } = nodes;
  return (
    <ul>
      {collections.map(({ id, title }) => (
        <li>
          <a href={to.collection(id)} aria-current={to.collection(id) === here ? 'page' : undefined}>
            {sign('folder')} <span>{title}</span>
          </a>
          {nodesBelow({ to }, byParent, { parent: id, here, depth: depth + 1 })}
        </li>
      ))}
      {spaces.map(({ id, title, emoji }) => (
        <li>
          <a href={to.space(id)} aria-current={to.space(id) === here ? 'page' : undefined}>
            <Emblem emoji={emoji} fallback="book" /> <span>{title}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
