import type { VNode } from 'preact';
import type { Site } from '../../sites/resources.js';
import type { Crumb, ScreenRequest } from '../frame/screen.js';

/** A request for a screen of a site. */
export type SiteRequest = ScreenRequest<'/o/{organization}/sites/{site}'>;

/** The site of a request, as operations name it. */
export const siteOf = ({ path }: Pick<SiteRequest, 'path'>): { organizationId: string; siteId: string } => ({
  organizationId: path.organization,
  siteId: path.site,
});

type Asking = Pick<ScreenRequest, 'to' | 'words'>;

/** The way to the screens of a site. */
export const siteCrumbs = ({ to, words }: Asking, organization: string): Crumb[] => [
  { title: words.sites.title, href: to.sites(organization) },
];

/** The screens of a site. Members see its visits; a guest who may see the site does not. */
export function siteTabs({ to, words, url }: Asking & { url: string }, organization: string, site: Site): VNode {
  const tab = (href: string, title: string) => (
    <li>
      <a href={href} aria-current={href === url ? 'page' : undefined}>
        {title}
      </a>
    </li>
  );
  return (
    <nav class="screen-tabs" aria-label={site.title}>
      <ul>
        {tab(to.site(organization, site.id), words.sites.overview)}
        {site.permissions.viewInsights && tab(to.visits(organization, site.id), words.sites.visits)}
      </ul>
    </nav>
  );
}
