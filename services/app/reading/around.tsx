import type { Space } from '../../content/resources.js';
import type { Crumb, ScreenRequest, View } from '../frame/screen.js';
import { pageTree, treeOf } from './page-tree.js';
import type { Place } from './places.js';
import { spaceTabs } from './space-tabs.js';

type Around = Pick<View, 'organization' | 'sidebar' | 'crumbs'>;

/** The way to a place. */
export const crumbsOf = ({ to }: Pick<ScreenRequest, 'to'>, { space, changeRequest }: Place): Crumb[] => [
  { title: space.title, href: to.space(space.id) },
  ...(changeRequest
    ? [
        {
          title: `#${changeRequest.number} ${changeRequest.subject}`,
          href: to.changeRequest(space.id, changeRequest.number),
        },
      ]
    : []),
];

/** Makes the surroundings of a screen of a place. `above`: screens between the place and it. */
export const placeAround = (request: ScreenRequest, place: Place, above: Crumb[] = []): Around => ({
  organization: place.space.organization,
  crumbs: [...crumbsOf(request, place), ...above],
  sidebar: spaceTabs(request, place),
});

/** Makes the surroundings of a screen about a space, with its pages. */
export async function spaceAround(request: ScreenRequest, space: Space): Promise<Around> {
  const place = { space };
  const tree = await treeOf(request, place);
  const around = placeAround(request, place);
  return {
    ...around,
    sidebar: (
      <>
        {around.sidebar}
        {pageTree(request, tree, { place })}
      </>
    ),
  };
}
