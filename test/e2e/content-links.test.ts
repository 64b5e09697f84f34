import { ContentWriter, document, files, inserted, referencesIn, updated } from '../support/content-changes.js';
import { newOrganization, shared } from '../support/fixtures.js';
import { openRepositories, type Repositories } from '../support/repository.js';

const client = shared();
let organization: string;
let repositories: Repositories;
let writer: ContentWriter;
beforeAll(async () => {
  organization = await newOrganization(client);
  repositories = await openRepositories();
  await repositories.commit('links', {
    'SUMMARY.md':
      '* [Home](README.md)\n* [Guide](docs/guide.md)\n  * [Deep](docs/deep/README.md)\n  * [Sub](other/sub.md)\n* [Sub](sub.md)\n',
    'README.md': '# Home\n',
    'docs/guide.md':
      '# Guide\n\n[up](../README.md) [sub](../other/sub.md#a-b) [other](../sub.md) ![](../.gitbook/assets/a%20b.png) [gone](gone.md)\n',
    'docs/deep/README.md': '# Deep\n',
    'other/sub.md': '# Sub\n\n## A b\n',
    'sub.md': '# Sub\n',
    '.gitbook/assets/a b.png': 'a',
  });
});
afterAll(() => repositories.close());
beforeEach(async () => {
  writer = await ContentWriter.onNew(client, organization);
});

const references = async (id: string) => referencesIn(await writer.nodes(id));
const page = (id: string | undefined) => ({ kind: 'page', page: id });
const anchor = (id: string | undefined, name: string) => ({ kind: 'anchor', anchor: name, page: id });

/** A page `linking` below `folder`, beside `sibling`, with `child` below it; and `first`, the root page. */
async function family() {
  const [first, folder] = (await writer.insert(inserted('First'), inserted('Folder'))) as [string, string];
  const [linking, sibling] = (await writer.insert(
    inserted('Linking', { into: folder }),
    inserted('Sibling', { into: folder, ...document('## A *b* c!\n') }),
  )) as [string, string];
  const [child] = (await writer.insert(inserted('Child', { into: sibling }))) as [string];
  return { first, folder, linking, sibling, child };
}
type Family = Awaited<ReturnType<typeof family>>;

describe('a link of a written page', () => {
  it.each<[string, (ids: Family) => string, (ids: Family) => unknown]>([
    ['an id', ({ child }) => `/pages/${child}`, ({ child }) => page(child)],
    ['an id and an anchor', ({ sibling }) => `/pages/${sibling}#a-b-c`, ({ sibling }) => anchor(sibling, 'a-b-c')],
    ["GitHub's anchor", ({ sibling }) => `/pages/${sibling}#a-b-c!`, ({ sibling }) => anchor(sibling, 'a-b-c')],
    ['a slug', () => '/pages/folder', ({ folder }) => page(folder)],
    ['a slug path', () => '/pages/folder/sibling/child', ({ child }) => page(child)],
    ['a slug path and an anchor', () => '/pages/folder/sibling#a-b-c', ({ sibling }) => anchor(sibling, 'a-b-c')],
    ['a slug path in other case', () => '/pages/Folder/SIBLING/', ({ sibling }) => page(sibling)],
    ['the file of a page', () => '/pages/folder/linking.md', ({ linking }) => page(linking)],
    ['the file of a page with subpages', () => '/pages/folder/sibling/README.md', ({ sibling }) => page(sibling)],
    ['the file of the root page', () => '/pages/README.md', ({ first }) => page(first)],
    ['a sibling', () => './sibling.md', ({ sibling }) => page(sibling)],
    ['a sibling without dots', () => 'sibling.md#x', ({ sibling }) => anchor(sibling, 'x')],
    ['a folder', () => './sibling', ({ sibling }) => page(sibling)],
    ['a folder with its slash', () => 'sibling/', ({ sibling }) => page(sibling)],
    ['the page above', () => './README.md', ({ folder }) => page(folder)],
    ['a page further below', () => 'sibling/child.md', ({ child }) => page(child)],
    ['a page above', () => '../first.md', ({ first }) => page(first)],
    ['another branch', () => '../folder/sibling/child.md', ({ child }) => page(child)],
    ['a path of the space', () => '/folder/sibling', ({ sibling }) => page(sibling)],
    ['a path with a query', () => './sibling.md?x=1#y', ({ sibling }) => anchor(sibling, 'y')],
    ['an encoded path', () => './%73ibling.md', ({ sibling }) => page(sibling)],
    [
      'another place',
      () => 'https://example.com/sibling.md',
      () => ({ kind: 'url', url: 'https://example.com/sibling.md' }),
    ],
    ['a mail', () => 'mailto:a@b.example', () => ({ kind: 'url', url: 'mailto:a@b.example' })],
    ['itself', () => '#top', () => ({ kind: 'anchor', anchor: 'top' })],
  ])('by %s is found', async (_, url, expected) => {
    const ids = await family();
    await writer.apply(updated(ids.linking, document(`See [*it*](${url(ids)} "title").\n`)));
    expect(await references(ids.linking)).toEqual([expected(ids)]);
  });

  it('is seen from the file that its page would have: that of a folder once it has subpages', async () => {
    const { sibling, child, linking, folder } = await family();
    await writer.apply(
      updated(sibling, document('[child](./child.md) [sibling](../linking.md) [above](../README.md)\n')),
    );
    expect(await references(sibling)).toEqual([page(child), page(linking), page(folder)]);
  });

  it('may stand wherever links stand, and nowhere else', async () => {
    const { linking, sibling } = await family();
    const text = [
      'A [text](./sibling.md) ![image](/files/none) [ref][r] <a href="./sibling.md">html</a> `[code](./sibling.md)`',
      '',
      '{% content-ref url="./sibling.md" %}\n[sibling](./sibling.md)\n{% endcontent-ref %}',
      '',
      '| a |\n| - |\n| [cell](./sibling.md) |',
      '',
      '<table data-view="cards"><thead><tr><th data-card-target data-type="content-ref">T</th></tr></thead><tbody><tr><td><a href="./sibling.md">x</a></td></tr></tbody></table>',
      '',
      '```\n[code](./sibling.md)\n```',
      '',
      '> * [quoted](./sibling.md "mention")',
      '',
      '[r]: ./sibling.md',
      '',
    ].join('\r\n');
    await writer.apply(updated(linking, document(text)));
    const expected = text
      .replaceAll('(./sibling.md', `(/pages/${sibling}`)
      .replaceAll('"./sibling.md"', `"/pages/${sibling}"`)
      .replace('[r]: ./sibling.md', `[r]: /pages/${sibling}`)
      .replaceAll(`[code](/pages/${sibling})`, '[code](./sibling.md)')
      .replace('![image](/files/none)', 'image');
    expect(await writer.source(linking)).toBe(expected);
  });

  it('to nothing becomes plain text, whatever it looked like', async () => {
    const { linking } = await family();
    const of = async (text: string) => {
      await writer.apply(updated(linking, document(`${text}\n`)));
      return (await writer.source(linking)).trimEnd();
    };
    expect(await of('[a *b*](./none.md) and [`c`](/pages/none#x) and [d](../../../none)')).toBe(
      'a *b* and [`c`] and d',
    );
    expect(await of('<a href="none.md">x</a> [y](/none) [z](/files/none)')).toBe('<a>x</a> y z');
    expect(await of('[x]: ./none.md\n\n[x]')).toBe('\n\n[x]');
  });

  it('names pages and files of its batch by their refs, whichever comes first', async () => {
    const { changes, insertedFiles } = await writer.apply(
      inserted('One', { ref: 'one', ...document('[two](./two) [two](./two.md#part) [self](./one) ![](./logo)\n') }),
      inserted('Two', { ref: 'two', ...document('## Part\n\n[one](./one.md) [dotted](./v1.2) [odd](./__proto__)\n') }),
      inserted('Dotted', { ref: 'v1.2' }),
      inserted('Odd', { ref: '__proto__' }),
      files({ name: 'a.txt', base64: 'AAAA', contentType: 'text/plain', ref: 'logo' }),
    );
    const [one, two, dotted, odd] = changes.map((change: any) => change.page.id);
    expect(await references(one)).toEqual([
      page(two),
      anchor(two, 'part'),
      page(one),
      { kind: 'file', file: insertedFiles[0].id },
    ]);
    expect(await references(two)).toEqual([page(one), page(dotted), page(odd)]);
    await writer.apply(updated(one, document('[two](./two2)\n')), inserted('Three', { ref: 'two2' }));
    expect(await references(one)).toEqual([page(await writer.named('Three'))]);
  });

  it('is followed to the place that its target has at the end of the batch', async () => {
    const { linking, child } = await family();
    await writer.apply(
      updated(linking, document('[a](/pages/moved) [b](/pages/folder/sibling/child)\n')),
      updated(child, { into: null, slug: 'moved' }),
    );
    expect(await references(linking)).toEqual([page(child)]);
  });
});

describe('a page of a repository', () => {
  beforeEach(async () => {
    writer = await ContentWriter.onImported({ client, organization, repositories }, 'links', {});
  });
  const guide = () => writer.named('Guide');

  it('keeps its links as they are written, also those to nothing; new ones may be by file or by path', async () => {
    const id = await guide();
    const source = await writer.source(id);
    const before = await references(id);
    await writer.apply(updated(id, document(source.replace('# Guide', '# Guide\n\nMore.'))));
    expect(await writer.source(id)).toBe(source.replace('# Guide', '# Guide\n\nMore.'));
    expect(await references(id)).toEqual(before);
    await writer.apply(
      updated(
        id,
        document('[a](deep/) [b](../sub.md) [c](/pages/guide/deep) [d](new.md) ![](../.gitbook/assets/a%20b.png)\n'),
      ),
    );
    const deep = await writer.named('Deep');
    expect(await writer.source(id)).toBe(
      `[a](deep/) [b](../sub.md) [c](/pages/${deep}) d ![](../.gitbook/assets/a%20b.png)\n`,
    );
  });

  it('is still found by links by file after it moved and was renamed', async () => {
    const id = await guide();
    const before = await references(id);
    const others = (await writer.pages()).filter((each) => each.id !== id);
    for (const [at, { id: other, title }] of others.entries())
      await writer.apply(updated(other, { title: `${title} again`, slug: `moved-${at}`, into: id }));
    await writer.apply(updated(id, { slug: 'elsewhere', title: 'Elsewhere' }));
    expect(await references(id)).toEqual(before);
  });

  it('can be read as markdown, or as source, and sent back: no reference changes, and broken ones are text in markdown', async () => {
    const deep = await writer.named('Deep');
    await writer.apply(
      updated(await guide(), { into: null, at: 0 }),
      updated(
        deep,
        document(
          '[up](/pages/guide) [a](/pages/sub) [b](../../other/sub.md#A-B) ![](../../.gitbook/assets/a%20b.png)\n',
        ),
      ),
      inserted('New', {
        into: deep,
        ...document('[deep](../deep.md) [file](/.gitbook/assets/a%20b.png) [g](/pages/guide)\n'),
      }),
      inserted('Sub', { into: deep }),
    );
    for (const { id, title } of await writer.pages()) {
      const before = await references(id);
      for (const format of ['source', 'markdown', 'markdown']) {
        const sent = (await writer.page(id, `format=${format}`))[format];
        await writer.apply(updated(id, document(sent)));
        const kept = format === 'source' ? before : before.filter(({ page: to }) => to !== 'broken');
        expect([title, format, await references(id)]).toEqual([title, format, kept]);
      }
    }
  });
});
