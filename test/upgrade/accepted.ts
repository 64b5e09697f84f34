import type { Accepted } from './contract/breaks.js';

/** Breaks between the last release and this one that are meant: by their place, with the reason. Emptied with each new baseline. */
export const accepted: Accepted = {
  'jobs.earlierReviewsJob': 'hands over the comments of reviews from before the last release, which is the first one',
  'operations.getUserById.access':
    'open to visitors of a site too, who get less; they got 403, which the last release still answers',
  ...Object.fromEntries(
    ['getOrganizationById', 'listSSOProviderLoginsInOrganization'].map((id) => [
      `operations.${id}.access`,
      'open to scripts of integrations too, of which the last release has none',
    ]),
  ),
  'operations.getEmbedByUrlInSpace.response':
    'a type that the public API has for embeds, which its clients know; without it no embed has a player',
  ...Object.fromEntries(
    ['verbs.identity.authenticate.answers', 'shared.AccessQuestion', 'shared.Meta'].flatMap((at) =>
      ['owner', 'integration', 'user', 'spaces', 'sites'].map((field) => [
        `${at}.caller.${field}`,
        'callers that are integrations or installations were declared by the last release, which never made one',
      ]),
    ),
  ),
  ...Object.fromEntries(
    [
      ...['Created', 'Updated', 'Resolved', 'Reacted', 'Deleted'].map((what) => `comments.comment${what}`),
      ...['Created', 'Updated', 'Reacted', 'Deleted'].map((what) => `comments.reply${what}`),
      'content.contentChanged',
      'content.spaceDeleted',
      'sites.siteDeleted',
    ].map((event) => [
      `events.${event}.integrations`,
      'integrations are new: while processes of the last release run, nothing is installed that would miss an event',
    ]),
  ),
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
  ...Object.fromEntries(
    [
      ...['mergeRules', 'gitSync.installationId', 'gitSync.installationStatus'].map(
        (field) => `presentSpaces.answers[].${field}`,
      ),
      ...[
        'score',
        'pages[].description',
        'pages[].score',
        'pages[].rank',
        'pages[].ancestors',
        'pages[].sections[].score',
      ].map((field) => `searchSpaces.answers.items[].${field}`),
    ].map((at) => [
      `verbs.content.${at}`,
      'a field that newer clients read and no service does: answers that come from a process of the last release lack it',
    ]),
  ),
  'verbs.comments.presentComments.answers[].repliers':
    'a field that newer clients read and no service does: answers that come from a process of the last release lack it',
  ...Object.fromEntries(
    ['createSiteRedirect', 'updateSiteRedirectById'].map((id) => [
      `operations.${id}.body.source`,
      'every source that was taken is taken still; those with `*` or `+` are new, and the last release refuses them',
    ]),
  ),
};
