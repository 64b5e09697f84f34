import { chunks, pageDocuments } from '../../services/content/core/revisions/model.js';
import { ContentWriter, deleted, document, inserted, updated } from '../support/content-changes.js';
import { newOrganization, shared, withStore } from '../support/fixtures.js';

const client = shared();
let organization: string;
let writer: ContentWriter;
beforeAll(async () => {
  organization = await newOrganization(client);
});
beforeEach(async () => {
  writer = await ContentWriter.onNew(client, organization);
});

const prose = `A paragraph with *emphasis*, a [link](https://example.com) and \`code\`, and ${'many words of manuals '.repeat(12)}.\n\n`;
const megabytes = (part: string, count = 2) => part.repeat(Math.floor((count * 1_000_000) / part.length));

const sent = (...changes: unknown[]) => writer.send({ changes });

describe('a long document', () => {
  it('of 2 MB is kept as it is, and read', async () => {
    const source = megabytes(prose);
    const { status, body } = await sent(inserted('Long', document(source)));
    expect(status).toBe(200);
    const [{ page }] = body.changes;
    expect(await writer.source(page.id)).toBe(source);
    expect((await sent(updated(page.id, { description: 'Long' }))).status).toBe(200);
    expect(await writer.source(page.id)).toBe(`---\ndescription: Long\n---\n\n${source}`);
  });

  it.each<[string, string]>([
    ['links with anchors', '[a](other#b) '],
    ['nested brackets', '[a]('],
    ['emphasis', '*a **b _c'],
    ['nested lists', '* a\n  '],
    ['table rows', '| a | b |\n| - | - |\n'],
    ['tags', '{% hint %}\n'],
    ['attributes', '<a href="x" '],
    ['backticks', '` `` ``` '],
    ['headings', '# a\n'],
    ['front matter lines', '---\n'],
    ['carriage returns', 'a\r'],
  ])('of nothing but %s is taken or refused', async (_, part) => {
    const before = await writer.state();
    const { status, body } = await sent(inserted('Other'), inserted('Odd', document(megabytes(part))));
    if (status === 200) return;
    // A 503 would say that it took longer than a request may, which here is ten times as long as for users.
    expect([400, 422]).toContain(status);
    expect(body.error.message).toMatch(/document: .*(too much|more than 16 MB|front matter)/);
    expect(await writer.state()).toEqual(before);
  });

  it('may stand beside others', async () => {
    // test/fault/hostile-pages.test.ts writes 16.
    const count = 2;
    const source = megabytes(prose, 1.9);
    const { status } = await sent(
      ...Array.from({ length: count }, (_, each) => inserted(`P${each}`, document(`${each}.\n\n${source}`))),
    );
    expect(status).toBe(200);
    expect(await writer.pages()).toHaveLength(count);
  });
});

describe('odd front matter', () => {
  it.each<[string, string]>([
    [
      'a bomb of aliases',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
        .split('')
        .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghij'[at]}`).join(',')}]\n`)
        .join('')}`,
    ],
    ['many keys', Array.from({ length: 5000 }, (_, each) => `k${each}: v\n`).join('')],
    ['one key many times', 'k: v\n'.repeat(10_000)],
    ['deep maps', Array.from({ length: 300 }, (_, each) => `${' '.repeat(each)}a:\n`).join('')],
    ['deep lists', `a: ${'['.repeat(5000)}${']'.repeat(5000)}\n`],
    ['a key of dangerous name', '__proto__:\n  hidden: true\nconstructor: x\n'],
    ['tags', 'a: !!js/function x\n'],
    ['quotes', `a: ${'"'.repeat(60_000)}\n`],
    ['question marks', '? '.repeat(20_000)],
    [
      'odd types',
      'title: 5\ndescription: [a]\nhidden: maybe\nicon: {}\nif: 7\ncover: 1\nlayout: x\nvars: 3\ntags: y\n',
    ],
  ])('of %s is taken or refused, also when its metadata is changed', async (_, yaml) => {
    const { status, body } = await sent(inserted('Odd', document(`---\n${yaml}---\n\nText.\n`)));
    if (status !== 200)
      return expect([status, body.error.message]).toEqual([400, expect.stringMatching(/^changes\.0\.document: /)]);
    const [{ page }] = body.changes;
    const changed = await sent(updated(page.id, { description: 'New', hidden: true }));
    expect([200, 400]).toContain(changed.status);
    expect((await client.get(`${writer.path}/content/page/${page.id}?format=document`)).status).toBe(200);
  });
});

it('a change of a space of many pages stores what it changes, and few parts of its table of contents', async () => {
  for (let batch = 0; batch < 24; batch++)
    await writer.apply(...Array.from({ length: 50 }, (_, each) => inserted(`Page ${batch * 50 + each}`)));
  const pages = await writer.pages();
  expect(pages).toHaveLength(1200);
  const stored = () =>
    withStore([pageDocuments, chunks], async (store) => {
      const { space } = writer;
      return [await store.count(pageDocuments, { space }), await store.count(chunks, { space })] as const;
    });
  const before = await stored();
  const changes = pages
    .slice(0, 25)
    .flatMap(({ id }, each) => [
      updated(id, { at: 1199 - each, title: `Moved ${each}` }),
      deleted((pages[each + 100] as { id: string }).id),
    ]);
  expect((await sent(...changes)).status).toBe(200);
  const [documents, parts] = await stored();
  expect(documents - before[0]).toBe(25);
  expect(parts - before[1]).toBeLessThanOrEqual(8);
  expect(await writer.pages()).toHaveLength(1175);
});
