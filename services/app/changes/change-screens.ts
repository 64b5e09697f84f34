import { notFound } from '../../../shared/errors/errors.js';
import { sitesContract } from '../../sites/contract.js';
import { comparisonOfChange } from '../differences/comparison.js';
import { pageDifference } from '../differences/page-difference.js';
import { type Route, screen } from '../frame/screen.js';
import { placeAround } from '../reading/around.js';
import { changePlace } from '../reading/places.js';
import { changeList, newChange } from './change-list.js';
import { conflictScreen } from './conflicts.js';
import { overviewView } from './overview.js';
import { overviewActions } from './overview-actions.js';

/** Change requests: their list, each with its reviews and comments, conflicts, and previews on sites. */
export const changeScreens = (): Route[] => [
  changeList,
  newChange,
  screen({ path: '/s/{space}/~/changes/{number}', show: overviewView, actions: overviewActions }),
  conflictScreen,
  difference,
  preview,
];

/** How a page differs in a change request from the content that it includes. */
const difference = screen({
  path: '/s/{space}/~/changes/{number}/~/differences/{page}',
  async show(request) {
    const { path } = request;
    const place = await changePlace(request, path.space, path.number);
    return {
      ...(await pageDifference(request, comparisonOfChange(request.to, place), path.page)),
      ...placeAround(request, place),
    };
  },
});

const maxSiteSpaces = 1000;

/** Leads on to a change request as a site shows it. */
const preview = screen({
  path: '/s/{space}/~/changes/{number}/~/preview/{site}',
  async show(request) {
    const { call, path } = request;
    const { space, changeRequest } = await changePlace(request, path.space, path.number);
    const site = { organizationId: space.organization, siteId: path.site };
    const { items } = await call(sitesContract.listSiteSpaces, { path: site, query: { limit: maxSiteSpaces } });
    const shown = items.find((each) => each.space.id === space.id);
    if (!shown) throw notFound('Site space');
    const query = { siteSpace: shown.id, changeRequest: changeRequest.id };
    return { to: (await call(sitesContract.getSitePublishingPreviewById, { path: site, query })).url };
  },
});
