import type { Accepted } from './contract/breaks.js';

/** Breaks between the last release and this one that are meant: by their place, with the reason. Emptied with each new baseline. */
export const accepted: Accepted = {
  'operations.getUserById.access':
    'open to visitors of a site too, who get less; they got 403, which the last release still answers',
  'operations.getEmbedByUrlInSpace.response':
    'a type that the public API has for embeds, which its clients know; without it no embed has a player',
  ...Object.fromEntries(
    [
      ...['listPageLinksInSpace', 'listPageLinksInChangeRequest', 'listSpaceLinks', 'listChangeRequestLinks'].flatMap(
        (id) => [`${id}.response.items[].targetReference`, `${id}.response.items[].locationReferences[]`],
      ),
      ...[
        'listSpacePageBacklinks',
        'listSpaceFileBacklinks',
        'listChangeRequestPageBacklinks',
        'listChangeRequestFileBacklinks',
      ].map((id) => `${id}.response.items[]`),
    ].map((at) => [`operations.${at}`, 'a kind that the public API has for locations: specifications exist now']),
  ),
};
