import { newOrganization, newUser, shared } from '../support/fixtures.js';
import { freeName, fullManifest, namesIn, published } from '../support/integrations.js';
import type { Client } from '../support/server.js';

const admin = shared();
const names = (query: string, client: Client = admin, limit = 100) => namesIn(client, query, limit);

describe('the list', () => {
  const word = freeName('w');
  let owner: string;
  let made: Record<'plain' | 'blocks' | 'sources' | 'hidden' | 'unlisted', string>;
  beforeAll(async () => {
    owner = await newOrganization(admin);
    const publish = (name: string, changes: Record<string, unknown>) =>
      published(admin, owner, { name: `${word}-${name}`, visibility: 'public', ...changes });
    made = {
      plain: await publish('d', { title: 'Größe (a+b)', target: 'site', categories: ['gitsync'] }),
      blocks: await publish('c', { blocks: fullManifest.blocks, scopes: ['space:git:sync', 'openapi:read'] }),
      sources: await publish('b', { contentSources: fullManifest.contentSources, categories: ['gitsync', 'other'] }),
      hidden: await publish('a', { visibility: 'private', blocks: fullManifest.blocks }),
      unlisted: await publish('e', { visibility: 'unlisted' }),
    };
  });
  const found = (query: string, client?: Client) => names(`search=${word}&${query}`, client, 2);

  it('has the public ones, by name', async () => {
    const { plain, blocks, sources } = made;
    expect(await found('')).toEqual([sources, blocks, plain]);
    expect((await admin.get(`/v1/integrations?search=${word}&limit=0`)).body).toEqual({ count: 3, items: [] });
    expect((await admin.get(`/v1/integrations?search=${word}&limit=1`)).body).toMatchObject({ count: 3 });
  });

  it('has those that fit every filter', async () => {
    const { plain, blocks, sources } = made;
    const cases: [string, string[]][] = [
      ['category=gitsync', [sources, plain]],
      ['category=other', [sources]],
      ['category=marketing', []],
      ['blocks=true', [blocks]],
      ['blocks=false', [sources, plain]],
      ['contentSources=true', [sources]],
      ['contentSources=false', [blocks, plain]],
      ['scope=openapi:read', [blocks]],
      ['scope=site:ai:ask', []],
      ['target=site', [plain]],
      ['target=all', [sources, blocks]],
      ['blockDomain=www.hello.example', [blocks]],
      ['blockDomain=WWW.Hello.example', [blocks]],
      ['blockDomain=hello.example', [blocks]],
      ['blockDomain=other.hello.example', []],
      ['blockDomain=a.greet.example', [blocks]],
      ['blockDomain=a.b.greet.example', [blocks]],
      ['blockDomain=greet.example', [blocks]],
      ['blockDomain=example', []],
      ['category=gitsync&contentSources=false&target=site', [plain]],
      ['category=gitsync&blocks=true', []],
    ];
    for (const [query, expected] of cases) {
      expect([query, await found(query)]).toEqual([query, expected]);
      const { count } = (await admin.get(`/v1/integrations?limit=0&search=${word}&${query}`)).body;
      expect([query, count]).toEqual([query, expected.length]);
    }
  });

  it('finds a part of the name or the title, in any case', async () => {
    const { plain, sources } = made;
    for (const search of [made.sources.slice(2), made.sources.toUpperCase()])
      expect(await names(`search=${search}`)).toEqual([sources]);
    const inTitle = (search: string) => names(`owner=${owner}&search=${encodeURIComponent(search)}`);
    for (const search of ['größe (', 'GRÖ', '(A+b)'])
      expect([search, await inTitle(search)]).toEqual([search, [plain]]);
    expect(await inTitle('.*')).toEqual([]);
  });

  it('with `owner` has all of that organization for its members, the public ones for others', async () => {
    const { plain, blocks, sources, hidden, unlisted } = made;
    const reader = await newUser(admin, { organization: owner, role: 'read' });
    const guest = await newUser(admin, { organization: owner, role: null });
    const stranger = await newUser(admin);
    expect(await names(`owner=${owner}`, reader.client, 2)).toEqual([hidden, sources, blocks, plain, unlisted]);
    for (const { client } of [guest, stranger])
      expect(await names(`owner=${owner}`, client, 2)).toEqual([sources, blocks, plain]);
    expect(await found(`owner=${owner}&blocks=true`, reader.client)).toEqual([hidden, blocks]);
    expect(await names('owner=nobody')).toEqual([]);
    expect((await reader.client.get(`/v1/integrations?limit=0&owner=${owner}`)).body.count).toBe(5);
  });

  it('has each integration once while others are published and unpublished', async () => {
    const one = await newOrganization(admin);
    const mark = freeName('p');
    const named = (index: number) => `${mark}-${String(index).padStart(2, '0')}`;
    const publish = (index: number) => published(admin, one, { name: named(index) });
    for (let index = 0; index < 12; index += 2) await publish(index);
    const seen: string[] = [];
    let page = '';
    for (let turn = 0; ; turn++) {
      const { body } = await admin.get(`/v1/integrations?owner=${one}&limit=2${page}`);
      seen.push(...body.items.map(({ name }: { name: string }) => name));
      if (!body.next) break;
      page = `&page=${body.next.page}`;
      await publish(turn * 2 + 1);
      await published(admin, one, { name: named(0) });
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect([...seen].sort()).toEqual(seen);
    for (let index = 0; index < 12; index += 2) expect(seen).toContain(named(index));
  });

  it('ends a page before it gets too large', async () => {
    const one = await newOrganization(admin);
    const blocks = [0, 1].map((id) => ({ id: `b${id}`, title: 'Block', icon: 'x'.repeat(340_000) }));
    for (let index = 0; index < 8; index++) await published(admin, one, { blocks });
    const { body } = await admin.get(`/v1/integrations?owner=${one}`);
    expect([body.count, body.items.length, body.next !== undefined]).toEqual([8, 5, true]);
    expect(await names(`owner=${one}`)).toHaveLength(8);
  });
});
