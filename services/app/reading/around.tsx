import type { Space } from '../../content/resources.js';
import type { ScreenRequest, View } from '../frame/screen.js';
import { pageTree, treeOf } from './page-tree.js';
import { spaceTabs } from './space-tabs.js';

/** Makes the surroundings of a screen about a space. */
export async function spaceAround(
  request: ScreenRequest,
  space: Space,
): Promise<Pick<View, 'organization' | 'sidebar' | 'crumbs'>> {
  const place = { space };
  const tree = await treeOf(request, place);
  return {
    organization: space.organization,
    crumbs: [{ title: space.title, href: request.to.space(space.id) }],
    sidebar: (
      <>
        {spaceTabs(request, place)}
        {pageTree(request, tree, { place })}
      </>
    ),
  };
}
