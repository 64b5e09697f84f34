import { contentContract, findPeople, type ListedDifferences, listDifferences } from '../../content/contract.js';
import type { RequestedReviewer, Review } from '../../content/resources.js';
import type { User } from '../../identity/resources.js';
import { sitesContract } from '../../sites/contract.js';
import type { Site } from '../../sites/resources.js';
import { comparisonOfChange } from '../differences/comparison.js';
import { unlessRefused } from '../frame/refusals.js';
import type { ScreenRequest } from '../frame/screen.js';
import { type ChangePlace, changePlace } from '../reading/places.js';
import { type Description, descriptionOf } from './description.js';

/** A change request with everything that its overview shows, besides its comments. */
export interface Overview {
  place: ChangePlace;
  description: Description | undefined;
  /** Its content may change, and it may be reviewed and merged. */
  isChangeable: boolean;
  /** The latest first. */
  reviews: Review[];
  requested: RequestedReviewer[];
  /** Who may be asked for a review, for people who may ask. */
  reviewers: User[];
  /** Undefined where its content is no longer kept. */
  differences: ListedDifferences | undefined;
  /** Sites that can show a preview, for people who may open one. */
  sites: Site[];
}

const maxListed = 100;
const maxSites = 10;

export async function overviewOf(
  request: ScreenRequest,
  { space, number }: { space: string; number: string },
): Promise<Overview> {
  const { call } = request;
  const place = await changePlace(request, space, number);
  const { id: spaceId, organization, permissions } = place.space;
  const path = { spaceId, changeRequestId: place.changeRequest.id };
  const { status } = place.changeRequest;
  const isChangeable = status === 'draft' || status === 'open';
  const [description, reviews, requested, reviewers, differences, sites] = await Promise.all([
    descriptionOf(request, place),
    call(contentContract.getReviewsByChangeRequestId, { path, query: { limit: maxListed } }),
    call(contentContract.getRequestedReviewersByChangeRequestId, { path, query: { limit: maxListed } }),
    permissions.edit && isChangeable
      ? call(findPeople, { organization, space: spaceId, right: 'review', limit: maxListed })
      : [],
    unlessRefused(
      call(listDifferences, comparisonOfChange(request.to, place).asked).then((listed) => listed.decode()),
      undefined,
    ),
    permissions.edit && isChangeable ? sitesWith(request, organization, spaceId) : [],
  ]);
  return {
    place,
    description,
    isChangeable,
    reviews: reviews.items,
    requested: requested.items,
    reviewers,
    differences,
    sites,
  };
}

const sitesWith = async ({ call }: ScreenRequest, organizationId: string, space: string): Promise<Site[]> => {
  const listed = call(sitesContract.listSites, { path: { organizationId }, query: { space, limit: maxSites } });
  return (await unlessRefused(listed, { items: [], count: 0 })).items.filter(({ permissions }) => permissions.create);
};
