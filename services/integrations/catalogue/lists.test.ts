import type { Caller } from '../../../shared/contract/caller.js';
import type { Cursor } from '../../../shared/store/port.js';
import { type IntegrationFilters, listingFilter, queryFilter } from './filters.js';
import { integrations } from './model.js';
import { blockDomainsOf, domainsToSearch } from './publishing/block-domains.js';
import { openCatalogue } from './testing/integrations-store.js';

let deps: Awaited<ReturnType<typeof openCatalogue>>;
beforeAll(async () => {
  deps = await openCatalogue();
});
afterAll(() => deps.close());

const membership = { role: 'read', teams: [], owned: [] };
const caller: Caller = { kind: 'user', user: 'ada', token: 't', memberships: { acme: membership } };
const filters: [string, IntegrationFilters][] = [
  ['nothing', {}],
  ['a category', { category: 'other' }],
  ['blocks', { blocks: true }],
  ['a domain', { blockDomain: 'a.example.com' }],
  ['a word', { search: 'a' }],
  ['all', { category: 'other', blocks: true, contentSources: false, scope: 'openapi:read', target: 'site' }],
];
const places: (Cursor | undefined)[] = [undefined, ['hello']];

it.each(filters)(
  'a list by %s reads the integrations of its owner or the public ones, in their order',
  async (_, query) => {
    for (const owner of [undefined, 'acme', 'other'])
      for (const after of places) {
        const filter = { ...listingFilter(caller, owner), ...queryFilter(query) };
        const plan = await deps.store.explain(integrations, { filter, sort: {}, limit: 50, after });
        expect(plan).toContain('SEARCH d USING');
        expect(plan).not.toMatch(/SCAN d|TEMP/);
      }
  },
);

describe('the domains of blocks', () => {
  it.each([
    ['https://www.example.com/**', ['www.example.com', 'example.com']],
    ['http://EXAMPLE.com:8080/a', ['example.com']],
    ['https://*.example.com', ['example.com', '.example.com']],
    ['*://a.b.example.com/*', ['a.b.example.com', 'b.example.com', 'example.com']],
    ['https://example.com?x', ['example.com']],
    ['https://', []],
    ['example.com', []],
    ['javascript:alert(1)', []],
    ['https://us*r@example.com', []],
    [`https://${'a.'.repeat(60)}com`, []],
  ])('of %s', (pattern, domains) => {
    expect(blockDomainsOf([{ urlUnfurl: [pattern, pattern] }, {}])).toEqual(domains);
  });

  it('are asked for with the wildcards that cover them', () => {
    expect(domainsToSearch('A.b.Example.com')).toEqual(['a.b.example.com', '.b.example.com', '.example.com']);
    expect(domainsToSearch('com')).toEqual(['com']);
  });
});
