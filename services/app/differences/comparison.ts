import type { CompareContents, ComparedContent } from '../../content/contract.js';
import type { Addresses } from '../frame/addresses.js';
import type { ChangePlace, Place } from '../reading/places.js';

/** Two contents of a space that screens compare, and the addresses of their differences. */
export interface Comparison {
  asked: CompareContents;
  /** The later content, where its pages are read. */
  place: Place;
  /** The address of all differences. */
  all: string;
  /** The address of the difference of one page. */
  page: (id: string) => string;
}

/** A change request, compared with the content of the space that it includes. */
export function comparisonOfChange(to: Addresses, place: ChangePlace): Comparison {
  const { space, changeRequest } = place;
  const { organization, id } = space;
  const before: ComparedContent = { baseOf: changeRequest.id };
  return {
    asked: { organization, space: id, before, after: { changeRequest: changeRequest.id } },
    place,
    all: `${to.changeRequest(id, changeRequest.number)}#changes`,
    page: (page) => to.changeDifference(id, changeRequest.number, page),
  };
}

/** A revision, compared with another: without `from`, with the one that it was made from. */
export function comparisonOfRevisions(
  to: Addresses,
  { space }: Place,
  { from, to: later }: { from: string | undefined; to: string },
): Comparison {
  const { organization, id } = space;
  const query = new URLSearchParams({ ...(from === undefined ? {} : { from }), to: later });
  return {
    asked: {
      organization,
      space: id,
      before: from === undefined ? { parentOf: later } : { revision: from },
      after: { revision: later },
    },
    place: { space, revision: later },
    all: `${to.compare(id)}?${query}`,
    page: (page) => `${to.compare(id)}/${page}?${query}`,
  };
}
