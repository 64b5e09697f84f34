import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anonymous, type ContentCaller } from '../../../shared/contract/caller.js';
import { contentTokens } from '../../../shared/contract/content-token.js';
import type { Call } from '../../../shared/contract/service.js';
import { createLog } from '../../../shared/log.js';
import { createSecrets } from '../../../shared/secrets/secrets.js';
import { signedTokens } from '../../../shared/secrets/signed-tokens.js';
import { type Store, write } from '../../../shared/store/port.js';
import { openSqliteStore } from '../../../shared/store/sqlite/store.js';
import { type SitesDependencies, sitesCollections } from '../dependencies.js';
import { Renderers } from '../renderers/renderers.js';
import { type SiteDocument, sites } from '../site/model.js';
import { sections, siteSpaces } from '../structure/model.js';
import { emptyStructure } from '../structure/structure.js';
import { StructureCache } from '../structure/structure-cache.js';
import { firstStructure, Structures } from '../structure/structures.js';
import { resolvePublished } from './resolve.js';
import { standingOf } from './standing.js';
import { VisibleSiteCache } from './visible-site-cache.js';

const organization = { id: 'acme', title: 'Acme', hostname: 'acme', defaultSite: 'site_BIG' };
const config = { baseUrl: 'https://bindery.test', PUBLISH_DOMAIN: 'docs.test' };
const secrets = createSecrets([Buffer.alloc(32, 1).toString('base64')]);

let folder: string;
let store: Store;
let deps: SitesDependencies;
/** Reads of the store, by name. */
const reads: string[] = [];
/** Calls of other services, by action. */
const calls: string[] = [];

/** The store, noting what is asked of it. */
const noting = (real: Store): Store =>
  new Proxy(real, {
    get(target, name, receiver) {
      const value = Reflect.get(target, name, receiver);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        reads.push(String(name));
        return value.apply(target, given);
      };
    },
  });

async function addSite(id: string, count: number, inEach: number): Promise<void> {
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
  folder = await mkdtemp(join(tmpdir(), 'bindery-resolve-'));
  const real = await openSqliteStore({ path: join(folder, 'test.sqlite'), log: createLog('silent') });
  await real.prepare(sitesCollections);
  store = noting(real);
  const renderers = new Renderers({
    store,
    log: createLog('silent'),
    config: { RENDERER_URLS: [], RENDERER_SECRET: undefined },
  });
  const structureCache = new StructureCache(store);
  const call = (async () => organization) as unknown as Call;
  deps = {
    store,
    config,
    secrets,
    renderers,
    structureCache,
    structures: new Structures({ store, cache: structureCache, renderers }),
    visibleSites: new VisibleSiteCache(store, structureCache),
    contentTokens: contentTokens(secrets, config.baseUrl),
    previewTokens: signedTokens(secrets, { purpose: 'site-preview', issuer: config.baseUrl }),
    callAs: () => call,
  };
  await addSite('site_SMALL', 1, 1);
  await addSite('site_BIG', 200, 10);
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

async function resolve(path: string, unsignedClaims: Record<string, unknown> = {}) {
  const call = (async ({ action }: { action: string }) => {
    calls.push(action);
    return organization;
  }) as unknown as Call;
  reads.length = 0;
  calls.length = 0;
  const url = path.startsWith('/') ? `https://acme.docs.test${path}` : path;
  const body = { url, redirectOnError: false, visitor: { unsignedClaims } };
  return resolvePublished(deps, { call, caller: anonymous, body });
}

describe('resolution', () => {
  it('reads as much of a large site as of a small one, and nothing of its size once it is known', async () => {
    const known: Record<string, string[]> = {};
    for (const [name, path] of Object.entries({ small: '/site_small/page', large: '/site_big/s0/v1/page' })) {
      await resolve(path);
      await resolve(path);
      known[name] = [...reads];
    }
    expect(known.large).toEqual(known.small);
    expect([known.small, calls]).toEqual([['findOne'], ['identity.findOrganization']]);
  });

  it('reads how visitors are identified only for a visitor that says something about itself', async () => {
    await resolve('/site_small/page', { n: 1 });
    expect(reads).toEqual(['findOne', 'get']);
  });

  it('asks for the organization only when its host name is part of a URL', async () => {
    await store.batch([write.update(sites, { _id: 'site_SMALL' }, { $set: { hostname: 'own.acme.test' } })]);
    expect(await resolve('https://own.acme.test/page')).toMatchObject({ canonicalUrl: 'https://own.acme.test/page' });
    expect([reads, calls]).toEqual([['findOne'], []]);
    await resolve('https://bindery.test/sites/site_SMALL/page');
    expect([reads, calls]).toEqual([['get'], []]);
    await store.batch([write.update(sites, { _id: 'site_SMALL' }, { $unset: { hostname: true } })]);
    await resolve('https://bindery.test/sites/site_SMALL/page');
    expect([reads, calls]).toEqual([['get'], ['identity.findOrganization']]);
  });

  it('answers the last of 2,000 site spaces with a token that fits into a header', async () => {
    const answer = await resolve('/s198/v9/a');
    const token = 'apiToken' in answer ? answer.apiToken : '';
    expect([token.length > 1000, token.length < 8192]).toEqual([true, true]);
  });

  it('holds the token of a large site against the present with one read', async () => {
    const answer = await resolve('/s198/v9/a');
    const known = await deps.contentTokens.verify('apiToken' in answer ? answer.apiToken : '');
    const visitor = known?.caller as ContentCaller;
    reads.length = 0;
    const standing = await standingOf(deps, { call: deps.callAs(anonymous), visitor });
    expect([standing?.spaces, reads]).toEqual([visitor.spaces, ['get']]);
  });

  it('sees a condition that was changed at once', async () => {
    const at = '/s1/a';
    const hidden = expect.objectContaining({ type: 'NOT_FOUND' });
    await expect(resolve(at)).rejects.toEqual(hidden);
    await deps.structures.change('site_BIG', async () => ({
      writes: [write.update(sections, { _id: 'site_BIG-1' }, { $unset: { condition: true } })],
      record: write.check(sites, { _id: 'site_BIG' }, 1),
    }));
    expect(await resolve(at)).toMatchObject({ pathname: 'a', siteSection: 'site_BIG-1' });
  });
});
