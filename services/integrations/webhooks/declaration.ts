import { type BuiltIn, builtInPublication } from '../catalogue/publishing/built-in.js';

export const webhookName = 'webhook';
export const webhookPublication = builtInPublication(webhookName);

const eventProperty = (title: string, description: string, selected = false) => ({
  type: 'boolean' as const,
  title,
  description,
  default: selected,
});

/** The kinds of events that an installation selects, by the property of its configuration. */
export const eventKinds = {
  space_content_updated: eventProperty('Content updates', 'The content of a space changed.', true),
  page_events: eventProperty('Pages', 'A page was created, changed, moved or deleted.'),
  comment_events: eventProperty('Comments', 'A comment or reply was written, changed, resolved or deleted.'),
  space_visibility_updated: eventProperty('Visibility', 'A space got another visibility.'),
  space_gitsync: eventProperty('Git Sync', 'An import from or export to a Git repository began or ended.'),
  page_feedback: eventProperty('Feedback', 'A visitor of a site said what a page is worth.'),
  space_view: eventProperty('Views of spaces', 'A visitor opened a page of a space.'),
  site_view: eventProperty('Views of sites', 'A visitor opened a page of a site.'),
};
export type EventKind = keyof typeof eventKinds;

const summary = `Sends events to an address of yours, as \`POST\` requests with the event as JSON.

Each request has the header \`X-GitBook-Signature: t=<time>,v1=<signature>\`: the time of the request in epoch seconds, and the HMAC-SHA256 of
\`<time>.<body>\` with your secret, in hexadecimal digits. \`X-Bindery-Event\` names the type of the event, \`X-Bindery-Delivery\` its id.

Events of an installation arrive in order, each at least once: the same id may come again. An answer other than 2xx, or none within 10 seconds, is a
failure. It is tried again after 1, 2 and 4 seconds, but not after a 4xx other than 429. Events that failed for good are listed among the events of
the installation, and can be sent again from there.`;

/** The integration that sends events to an address of whoever installed it. */
export const webhook: BuiltIn = {
  name: webhookName,
  version: 2,
  title: 'Webhook',
  description: 'Sends signed events to an address of yours.',
  summary,
  target: 'all',
  scopes: [
    'space:content:read',
    'space:metadata:read',
    'space:git:sync',
    'space:views:read',
    'site:views:read',
    'page:feedback:read',
  ],
  categories: ['other'],
  configurations: {
    account: {
      properties: {
        url: { type: 'string', title: 'URL', description: 'A public http(s) address that takes POST requests.' },
        secret: { type: 'string', title: 'Secret', description: 'Signs each request; at least 16 characters.' },
        ...eventKinds,
      },
      required: ['url', 'secret'],
    },
  },
};
