import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anonymous, type ContentCaller } from '../../shared/contract/caller.js';
import { contentTokens } from '../../shared/contract/content-token.js';
import type { Call } from '../../shared/contract/service.js';
import { createLog } from '../../shared/log.js';
import { createSecrets } from '../../shared/secrets/secrets.js';
import { signedTokens } from '../../shared/secrets/signed-tokens.js';
import { type Store, write } from '../../shared/store/port.js';
import { openSqliteStore } from '../../shared/store/sqlite/store.js';
import { type SiteDocument, sections, siteCollections, siteSpaces, sites } from './model.js';
import type { PublishingRules } from './publishing-rules.js';
import { Renderers } from './renderers.js';
import { resolvePublished } from './resolve.js';
import { standingOf } from './standing.js';
import { emptyStructure } from './structure.js';
import { Structures } from './structures.js';
import { VisibleSites } from './visible.js';

const organization = { id: 'acme', title: 'Acme', hostname: 'acme', defaultSite: 'site_BIG' };
const config = { baseUrl: 'https://bindery.test', PUBLISH_DOMAIN: 'docs.test' };
const secrets = createSecrets([Buffer.alloc(32, 1).toString('base64')]);

let folder: string;
let store: Store;
let rules: PublishingRules;
let renderers: Renderers;
/** Reads of the store, by name. */
const reads: string[] = [];

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

async function addSite(id: string, count: number, variants: number): Promise<void> {
  const structure = emptyStructure();
  const at = Array.from({ length: count }, (_, each) => each);
  for (const each of at) {
    const items = Array.from({ length: variants }, (_, v) => ({
      id: `${id}-${each}-${v}`,
      space: `01ARZ3NDEKTSV4RRFFQ6${String(each * variants + v).padStart(6, '0')}`,
      path: `v${v}`,
    }));
    structure.entries.push({
      id: `${id}-${each}`,
      path: `s${each}`,
      variants: { items, default: items[0]?.id ?? null },
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
    siteSpaces: count * variants,
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  const condition = (each: number) => (each % 3 === 0 ? {} : { condition: `visitor.claims.n > ${each}` });
  await store.batch([write.insert(sites, site), ...new Structures(store, renderers).first(site, structure)]);
  await store.insertMany(
    sections,
    at.map((each) => ({ _id: `${id}-${each}`, site: id, title: `${each}`, ...condition(each) })),
  );
  const all = structure.entries.flatMap((entry) => ('variants' in entry ? entry.variants.items : []));
  await store.insertMany(
    siteSpaces,
    all.map((item) => ({ _id: item.id, site: id })),
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-resolve-'));
  const real = await openSqliteStore({ path: join(folder, 'test.sqlite'), log: createLog('silent') });
  await real.prepare(siteCollections);
  store = noting(real);
  renderers = new Renderers({
    store,
    log: createLog('silent'),
    config: { RENDERER_URLS: [], RENDERER_SECRET: undefined },
  });
  const structures = new Structures(store, renderers);
  const call = (async () => organization) as unknown as Call;
  rules = {
    store,
    config,
    secrets,
    structures,
    renderers,
    visible: new VisibleSites(store, structures),
    contents: contentTokens(secrets, config.baseUrl),
    previews: signedTokens(secrets, { purpose: 'site-preview', issuer: config.baseUrl }),
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
  const call = (async () => organization) as unknown as Call;
  reads.length = 0;
  const request = { url: `https://acme.docs.test${path}`, redirectOnError: false, visitor: { unsignedClaims } };
  return resolvePublished(rules, { call, caller: anonymous }, request);
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
    expect(known.small?.sort()).toEqual(['findOne', 'get', 'get']);
  });

  it('answers the last of 2,000 site spaces with a token that fits into a header', async () => {
    const answer = await resolve('/s198/v9/a');
    const token = 'apiToken' in answer ? answer.apiToken : '';
    expect([token.length > 1000, token.length < 8192]).toEqual([true, true]);
  });

  it('holds the token of a large site against the present with two reads', async () => {
    const answer = await resolve('/s198/v9/a');
    const known = await rules.contents.verify('apiToken' in answer ? answer.apiToken : '');
    const visitor = known?.caller as ContentCaller;
    reads.length = 0;
    const standing = await standingOf(rules, rules.callAs(anonymous), visitor);
    expect([standing?.spaces, reads]).toEqual([visitor.spaces, ['get', 'get']]);
  });

  it('sees a condition that was changed at once', async () => {
    const at = '/s1/a';
    const hidden = expect.objectContaining({ type: 'NOT_FOUND' });
    await expect(resolve(at)).rejects.toEqual(hidden);
    await rules.structures.change('site_BIG', async () => ({
      answer: undefined,
      writes: [write.update(sections, { _id: 'site_BIG-1' }, { $unset: { condition: true } })],
      record: write.check(sites, { _id: 'site_BIG' }, 1),
    }));
    expect(await resolve(at)).toMatchObject({ pathname: 'a', siteSection: 'site_BIG-1' });
  });
});
