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
        {entry(to.trash(organization), 'trash', home.trash)}
        {entry(to.organizations, 'building', home.allOrganizations)}
      </ul>
      {content.spaces.length > 0 && nodesBelow({ to }, content, { parent: undefined, here, depth: 0 })}
    </>
  );
}

const maxDepth = 20;

interface Below {
  parent: string | undefined;
  here: string;
  depth: number;
}

/** The collections and spaces in a collection; those whose collection the person may not see stand at the top. */
function nodesBelow(
  { to }: Pick<Navigating, 'to'>,
  content: OrganizationContent,
  { parent, here, depth }: Below,
): VNode | null {
  const known = new Set(content.collections.map(({ id }) => id));
  const isHere = (node: { parent?: string | undefined }) =>
    parent === undefined ? node.parent === undefined || !known.has(node.parent) : node.parent === parent;
  const collections = depth < maxDepth ? content.collections.filter(isHere) : [];
  const spaces = content.spaces.filter(isHere);
  if (collections.length + spaces.length === 0) return null;
  return (
    <ul>
      {collections.map(({ id, title }) => (
        <li>
          <a href={to.collection(id)} aria-current={to.collection(id) === here ? 'page' : undefined}>
            {sign('folder')} <span>{title}</span>
          </a>
          {nodesBelow({ to }, content, { parent: id, here, depth: depth + 1 })}
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
