import type { EventFields } from './tracked-site.js';

const feedback = { rating: 'good', comment: 'Clear, and short' };
const ad = { domain: 'ads.example.com', zoneId: 'zone-7', placement: 'aside' };
const operation = { path: '/pets/{id}', method: 'GET' };

/** An event of each type, with its own fields. */
export const everyType: (EventFields & { type: string })[] = [
  { type: 'page_view' },
  { type: 'search_open' },
  { type: 'search_type_query', query: 'install' },
  { type: 'search_open_result', query: 'inst', result: { spaceId: 'space-1', pageId: 'page-1' } },
  { type: 'page_post_feedback', feedback: { rating: 'ok' } },
  { type: 'page_post_feedback_comment', feedback },
  { type: 'ask_question', query: 'How do I start?' },
  { type: 'ask_rate_response', query: 'How?', responseId: 'response-1', rating: -1 },
  { type: 'link_click', link: { target: { kind: 'url', url: 'https://example.com/a?b#c' }, position: 'header' } },
  { type: 'api_client_open', operation },
  { type: 'api_client_request', operation: { ...operation, method: 'POST' } },
  { type: 'trademark_click', placement: 'pdf' },
  { type: 'ad_click', ad },
  { type: 'ad_display', ad: { ...ad, domain: 'other.example.com' } },
  { type: 'page_markdown_request' },
  { type: 'agent_feedback' },
  { type: 'ask_view' },
  { type: 'llms_request' },
  { type: 'mcp_request' },
  { type: 'rss_request' },
];

/** What a link may lead to, of each kind. */
export const linkTargets = [
  { kind: 'url', url: 'mailto:ada@example.com' },
  { kind: 'page', page: 'page-1' },
  { kind: 'page', page: 'page-1', space: 'space-1' },
  { kind: 'file', file: 'file-1', space: 'space-1' },
  { kind: 'anchor', anchor: 'first', page: 'page-1', space: 'space-1' },
  { kind: 'space', space: 'space-1' },
  { kind: 'collection', collection: 'collection-1' },
  { kind: 'user', user: 'user-1' },
  { kind: 'reusable-content', reusableContent: 'content-1' },
  { kind: 'openapi', spec: 'spec-1' },
];
