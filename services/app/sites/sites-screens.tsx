import { sitesContract } from '../../sites/contract.js';
import { Empty, Heading, Pager, Rows } from '../elements/elements.js';
import { nextEntries, pageOf } from '../frame/here.js';
import { type Route, screen } from '../frame/screen.js';
import { organizationAround } from '../organizations/around.js';
import { publishScreen } from './publish-screen.js';
import { siteRow } from './site-row.js';
import { previewScreen, siteScreen } from './site-screen.js';
import { visitsScreen } from './visits-screen.js';

/** Publishing: the sites of an organization, each with its address, its readers and its visits. */
export const siteScreens = (): Route[] => [sites, publishScreen, siteScreen, previewScreen, visitsScreen];

const sites = screen({
  path: '/o/{organization}/sites',
  async show(request) {
    const { call, to, words, path } = request;
    const organization = path.organization;
    const [list, around] = await Promise.all([
      call(sitesContract.listSites, {
        path: { organizationId: organization },
        query: { limit: 50, ...pageOf(request) },
      }),
      organizationAround(request, organization, to.sites(organization)),
    ]);
    return {
      ...around,
      title: words.sites.title,
      main: (
        <>
          <Heading title={words.sites.title} lead={words.sites.lead} />
          {list.items.length === 0 && <Empty>{words.sites.none}</Empty>}
          <Rows label={words.sites.title}>{list.items.map((site) => siteRow(request, organization, site))}</Rows>
          <Pager next={nextEntries(request, list)} text={words.sites.more} />
        </>
      ),
    };
  },
});
