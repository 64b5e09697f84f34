import type { ScreenRequest, View } from '../frame/screen.js';
import { contentOf, organizationNavigation } from './navigation.js';

/** Makes the surroundings of a screen of an organization. `here`: the entry of its navigation that the screen belongs to. */
export async function organizationAround(
  request: ScreenRequest,
  organization: string,
  here: string,
): Promise<Pick<View, 'organization' | 'sidebar'>> {
  const content = await contentOf(request, organization);
  return { organization, sidebar: organizationNavigation(request, content, { organization, here }) };
}
