import { ContentWriter, deleted, document, inserted, referencesIn, updated } from '../support/content-changes.js';
import { newOrganization, shared } from '../support/fixtures.js';

const client = shared();
let organization: string;
let writer: ContentWriter;
beforeAll(async () => {
  organization = await newOrganization(client);
});
beforeEach(async () => {
  writer = await ContentWriter.onNew(client, organization);
});

/** Pages of these paths, each below the one of its folder; the ids by path. */
async function grown(...paths: string[]): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const path of paths) {
    const above = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    const title = path.slice(path.lastIndexOf('/') + 1);
    const [id] = await writer.insert(inserted(title, above ? { into: ids[above] } : {}));
    ids[path] = id as string;
  }
  return ids;
}
const paths = async () => (await writer.pages()).map(({ path }) => path);

describe('a moved page', () => {
  it('goes below another page, to the top or to another place, with the paths of everything below it', async () => {
    const ids = await grown('a', 'b', 'b/c', 'b/c/d', 'b/c/d/e', 'f');
    await writer.apply(updated(ids['b/c'] as string, { into: ids.a }));
    expect(await paths()).toEqual(['a', 'a/c', 'a/c/d', 'a/c/d/e', 'b', 'f']);
    await writer.apply(updated(ids['b/c'] as string, { into: null, at: 1 }));
    expect(await paths()).toEqual(['a', 'c', 'c/d', 'c/d/e', 'b', 'f']);
    await writer.apply(updated(ids['b/c'] as string, { into: null }));
    expect(await paths()).toEqual(['a', 'c', 'c/d', 'c/d/e', 'b', 'f']);
    await writer.apply(updated(ids['b/c'] as string, { into: ids.f, slug: 'x' }));
    expect(await paths()).toEqual(['a', 'b', 'f', 'f/x', 'f/x/d', 'f/x/d/e']);
    await writer.apply(updated(ids.f as string, { slug: 'g' }), updated(ids.a as string, { at: 1 }));
    expect(await paths()).toEqual(['b', 'a', 'g', 'g/x', 'g/x/d', 'g/x/d/e']);
    await writer.apply(updated(ids.a as string, { at: 1_000_000 }));
    expect(await paths()).toEqual(['b', 'g', 'g/x', 'g/x/d', 'g/x/d/e', 'a']);
  });

  it('cannot go below itself, nor to a page that is not there', async () => {
    const ids = await grown('a', 'a/b', 'a/b/c');
    const before = await writer.state();
    for (const into of [ids.a, ids['a/b'], ids['a/b/c']])
      expect(await writer.refused(updated(ids.a as string, { into }))).toEqual([
        400,
        'changes.0.into: a page cannot be moved below itself',
      ]);
    expect(await writer.refused(updated(ids.a as string, { into: 'nowhere' }))).toEqual([
      400,
      'changes.0.into: there is no page nowhere',
    ]);
    expect(await writer.state()).toEqual(before);
    await writer.apply(updated(ids['a/b'] as string, { into: null }), updated(ids.a as string, { into: ids['a/b/c'] }));
    expect(await paths()).toEqual(['b', 'b/c', 'b/c/a']);
  });

  it('keeps its slug, which must be free in the new place', async () => {
    const ids = await grown('a', 'b', 'b/a');
    expect(await writer.refused(updated(ids['b/a'] as string, { into: null }))).toEqual([
      409,
      'changes.0.slug: another page in this place has a already',
    ]);
    await writer.apply(updated(ids['b/a'] as string, { into: null, slug: 'free' }));
    expect(await paths()).toEqual(['a', 'b', 'free']);
    await writer.apply(
      updated(ids.a as string, { slug: 'tmp' }),
      updated(ids.b as string, { slug: 'a' }),
      updated(ids.a as string, { slug: 'b' }),
    );
    expect(await paths()).toEqual(['b', 'a', 'free']);
  });

  it('stays at most 100 levels deep, with everything below it', async () => {
    let into: string | undefined;
    const chain: string[] = [];
    for (let level = 1; level <= 100; level++) {
      const [id] = await writer.insert(inserted(`${level}`, into ? { into } : {}));
      into = id as string;
      chain.push(into);
    }
    const tooDeep = [400, 'changes.0.into: pages nest at most 100 deep'];
    expect(await writer.refused(inserted('101', { into }))).toEqual(tooDeep);
    const { a, 'a/b': b } = await grown('a', 'a/b');
    expect(await writer.refused(updated(a as string, { into: chain[98] }))).toEqual(tooDeep);
    await writer.apply(updated(b as string, { into: chain[98] }), updated(a as string, { into: chain[97] }));
    expect((await writer.page(into as string)).path).toBe(Array.from({ length: 100 }, (_, at) => at + 1).join('/'));
    await writer.apply(updated(chain[1] as string, { into: null }), updated(chain[0] as string, { slug: 'new' }));
    expect((await writer.page(into as string)).path).toBe(Array.from({ length: 99 }, (_, at) => at + 2).join('/'));
    await writer.apply(deleted(chain[1] as string));
    expect(await paths()).toEqual(['new']);
  });

  it('is still found by the links of others, under its new path and title', async () => {
    const { a, b, 'b/c': c } = await grown('a', 'b', 'b/c');
    const [linking] = await writer.insert(
      inserted('Linking', {
        into: b,
        ...document(
          '[a](/pages/a) [c](./c.md#about) [b](./) <a href="/pages/b/c">c</a>\n\n{% content-ref url="../a.md" %}\n[a](../a.md)\n{% endcontent-ref %}\n',
        ),
      }),
    );
    const references = async () => referencesIn(await writer.nodes(linking as string));
    const expected = [
      { kind: 'page', page: a },
      { kind: 'anchor', anchor: 'about', page: c },
      { kind: 'page', page: b },
      { kind: 'page', page: c },
      { kind: 'page', page: a },
    ];
    expect(await references()).toEqual(expected);
    await writer.apply(
      updated(a as string, { title: 'Renamed', slug: 'renamed', into: c }),
      updated(c as string, { into: null, at: 0 }),
      updated(linking as string, { into: null }),
    );
    expect(await paths()).toEqual(['c', 'c/renamed', 'b', 'linking']);
    expect(await references()).toEqual(expected);
    expect(await writer.markdown(linking as string)).toBe(
      '# Linking\n\n[a](c/renamed) [c](c#about) [b](b) <a href="c">c</a>\n\n{% content-ref url="c/renamed" %}\n[a](c/renamed)\n{% endcontent-ref %}\n',
    );
  });
});

describe('a deleted page', () => {
  it('is gone with everything below it; links to it are broken, and its address is free', async () => {
    const { a, b, 'a/c': c, 'a/c/d': d } = await grown('a', 'b', 'a/c', 'a/c/d');
    await writer.apply(updated(b as string, document(`[d](/pages/${d}) and [b](/pages/${b})\n`)));
    const { changes } = await writer.apply(deleted(a as string));
    expect(changes).toEqual([a, c, d].map((page) => ({ object: 'deleted_page', page })));
    expect(await paths()).toEqual(['b']);
    for (const id of [a, c, d]) expect((await client.get(`${writer.path}/content/page/${id}`)).status).toBe(404);
    expect(referencesIn(await writer.nodes(b as string))[0]).toEqual({
      kind: 'page',
      page: expect.not.stringMatching(d as string),
    });
    expect(await writer.markdown(b as string)).toBe('# b\n\nd and [b](b)\n');
    expect((await writer.refused(deleted(d as string)))[0]).toBe(400);
    expect((await writer.refused(updated(d as string, { title: 'x' })))[0]).toBe(400);
    await writer.insert(inserted('a'));
    expect(await paths()).toEqual(['b', 'a']);
  });

  it('frees its slug within the batch, and holds nothing that later changes insert', async () => {
    const { a } = await grown('a', 'a/b');
    expect((await writer.refused(deleted(a as string), inserted('x', { into: a })))[1]).toMatch(
      /^changes\.1\.into: there is no page/,
    );
    await writer.apply(deleted(a as string), inserted('New', { slug: 'a' }));
    expect(await paths()).toEqual(['a']);
  });
});
