import { anonymous, type ContentCaller } from '../../../shared/contract/caller.js';
import { write } from '../../../shared/store/port.js';
import { type SiteDocument, sites } from '../site/model.js';
import { type NotedDependencies, openNotedDependencies } from '../sites/testing/noted-dependencies.js';
import { sections, siteSpaces } from '../structure/model.js';
import { emptyStructure } from '../structure/structure.js';
import { firstStructure } from '../structure/structures.js';
import { resolvePublished } from './resolve.js';
import { standingOf } from './standing.js';

const organization = { id: 'acme', title: 'Acme', hostname: 'acme', defaultSite: 'site_BIG' };

let noted: NotedDependencies;

async function addSite(id: string, count: number, inEach: number): Promise<void> {
  const { store } = noted.deps;
  const structure = emptyStructure();
  const at = Array.from({ length: count }, (_, each) => each);
  for (const each of at) {
    const items = Array.from({ length: inEach }, (_, v) => ({
      id: `${id}-${each}-${v}`,
      space: `01ARZ3NDEKTSV4RRFFQ6${String(each * inEach + v).padStart(6, '0')}`,
      path: `v${v}`,
    }));
    structure.entries.push({
      id: `${id}-${each}`,
      path: `s${each}`,
      siteSpaces: { items, default: items[0]?.id ?? null },
    });
  }
  structure.defaultSection = `${id}-0`;
  const site: SiteDocument = {
    _id: id,
    organization: 'acme',
    type: 'basic',
    title: id,
    visibility: 'public',
    published: true,
    basename: id.toLowerCase(),
    adaptiveContent: true,
    agentsContext: 'included',
    structureVersion: 1,
    siteSpaces: count * inEach,
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  const condition = (each: number) => (each % 3 === 0 ? {} : { condition: `visitor.claims.n > ${each}` });
  await store.batch([write.insert(sites, site), firstStructure(site, structure)]);
  await store.insertMany(
    sections,
    at.map((each) => ({ _id: `${id}-${each}`, site: id, title: `${each}`, ...condition(each) })),
  );
  const all = structure.entries.flatMap((entry) => ('siteSpaces' in entry ? entry.siteSpaces.items : []));
  await store.insertMany(
    siteSpaces,
    all.map((item) => ({ _id: item.id, site: id })),
  );
}

beforeAll(async () => {
  noted = await openNotedDependencies({
    'identity.findOrganization': () => organization,
    'identity.findDomainOwners': () => ({ 'own.acme.test': ['acme'] }),
  });
  await addSite('site_SMALL', 1, 1);
  await addSite('site_BIG', 200, 10);
});
afterAll(() => noted.close());

async function resolve(path: string, unsignedClaims: Record<string, unknown> = {}, { deps, call } = noted) {
  noted.reset();
  const url = path.startsWith('/') ? `https://acme.docs.test${path}` : path;
  const body = { url, redirectOnError: false, visitor: { unsignedClaims } };
  return resolvePublished(deps, { call, caller: anonymous, body });
}

describe('resolution', () => {
  it('reads the same of a large site as of a small one, once it is cached', async () => {
    const known: Record<string, string[]> = {};
    for (const [name, path] of Object.entries({ small: '/site_small/page', large: '/site_big/s0/v1/page' })) {
      await resolve(path);
      await resolve(path);
      known[name] = [...noted.reads];
    }
    expect(known.large).toEqual(known.small);
    expect([known.small, noted.calls]).toEqual([['findOne'], ['identity.findOrganization']]);
  });

  it('reads how visitors are identified only for a visitor with claims or a JWT', async () => {
    await resolve('/site_small/page', { n: 1 });
    expect(noted.reads).toEqual(['findOne', 'get']);
  });

  it('asks for the organization only when its host name is part of a URL', async () => {
    await noted.deps.store.batch([write.update(sites, { _id: 'site_SMALL' }, { $set: { hostname: 'own.acme.test' } })]);
    expect(await resolve('https://own.acme.test/page')).toMatchObject({ canonicalUrl: 'https://own.acme.test/page' });
    expect([noted.reads, noted.calls]).toEqual([['findOne'], ['identity.findDomainOwners']]);
    await resolve('https://own.acme.test/page');
    expect([noted.reads, noted.calls]).toEqual([['findOne'], []]);
    await resolve('https://bindery.test/sites/site_SMALL/page');
    expect([noted.reads, noted.calls]).toEqual([['get'], []]);
    await noted.deps.store.batch([write.update(sites, { _id: 'site_SMALL' }, { $unset: { hostname: true } })]);
    await resolve('https://bindery.test/sites/site_SMALL/page');
    expect([noted.reads, noted.calls]).toEqual([['get'], ['identity.findOrganization']]);
  });

  it.each<[asked: string, answered: string]>([
    ['https://localhost/sites/site_BIG/s0/a', 'http://localhost/sites/site_BIG/a'],
    ['http://localhost/sites/site_BIG/v0/a', 'http://localhost/sites/site_BIG/a'],
    ['http://localhost:4000/sites/site_BIG/s0/a', 'http://localhost:4000/sites/site_BIG/a'],
    ['https://localhost/sites/site_BIG/s3/v2/a', 'http://localhost/sites/site_BIG/s3/v2/a'],
    ['https://localhost:3000/sites/site_BIG/s3/v2/a', 'http://localhost:4000/sites/site_BIG/s3/v2/a'],
  ])('answers addresses below a base URL with a port as renderers ask for them: %s', async (asked, answered) => {
    const config = { ...noted.deps.config, baseUrl: 'http://localhost:4000', PUBLISH_DOMAIN: undefined };
    const { deps, call } = noted;
    const answer = await resolve(asked, { n: 1000 }, { ...noted, deps: { ...deps, config }, call });
    expect('redirect' in answer ? answer.redirect : answer.canonicalUrl).toBe(answered);
  });

  it('answers the last of 2,000 site spaces with a token that fits into a header', async () => {
    const answer = await resolve('/s198/v9/a');
    const token = 'apiToken' in answer ? answer.apiToken : '';
    expect([token.length > 1000, token.length < 8192]).toEqual([true, true]);
  });

  it('checks the token of a large site with one read', async () => {
    const answer = await resolve('/s198/v9/a');
    const known = await noted.deps.contentTokens.verify('apiToken' in answer ? answer.apiToken : '');
    const visitor = known?.caller as ContentCaller;
    noted.reset();
    const standing = await standingOf(noted.deps, { call: noted.call, visitor });
    expect([standing?.spaces, noted.reads]).toEqual([visitor.spaces, ['get']]);
  });

  it('applies a changed condition at once', async () => {
    const at = '/s1/a';
    const hidden = expect.objectContaining({ type: 'NOT_FOUND' });
    await expect(resolve(at)).rejects.toEqual(hidden);
    await noted.deps.structures.change('site_BIG', async () => ({
      writes: [write.update(sections, { _id: 'site_BIG-1' }, { $unset: { condition: true } })],
      record: write.check(sites, { _id: 'site_BIG' }, 1),
    }));
    expect(await resolve(at)).toMatchObject({ pathname: 'a', siteSection: 'site_BIG-1' });
  });
});
