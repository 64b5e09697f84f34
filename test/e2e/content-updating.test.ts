import { ContentWriter, document, inserted, updated } from '../support/content-changes.js';
import { newOrganization, shared } from '../support/fixtures.js';
import { openRepositories, type Repositories } from '../support/repository.js';

const client = shared();
let organization: string;
let repositories: Repositories;
let writer: ContentWriter;
beforeAll(async () => {
  organization = await newOrganization(client);
  repositories = await openRepositories();
});
afterAll(() => repositories.close());
beforeEach(async () => {
  writer = await ContentWriter.onNew(client, organization);
});

const insertedPage = async (source: string, more: object = {}) =>
  (await writer.insert(inserted('Given', { ...document(source), ...more })))[0] as string;

describe('an update of metadata', () => {
  const front =
    '\uFEFF---\r\n# About this page\r\ntitle: "Quoted" # kept\r\ndescription: >-\r\n  Folded\r\n  text\r\nunknown: [1,2]\r\n---\r\n';
  const body = '\r\n#  Heading  \r\n\r\n* one\r\n- two   \r\n\ttab\r\n';

  it.each<[string, object, (source: string) => string]>([
    ['another title', { title: 'New' }, (s) => s.replace('"Quoted"', 'New')],
    ['the same title', { title: 'Quoted' }, (s) => s],
    ['a description', { description: 'Short' }, (s) => s.replace('>-\r\n  Folded\r\n  text', 'Short')],
    ['no description', { description: '' }, (s) => s.replace('description: >-\r\n  Folded\r\n  text\r\n', '')],
    ['an icon', { icon: 'bolt' }, (s) => s.replace('[1,2]\r\n', '[1,2]\r\nicon: bolt\r\n')],
    ['a flag', { hidden: true }, (s) => s.replace('[1,2]\r\n', '[1,2]\r\nhidden: true\r\n')],
    ['a flag that it has not', { hidden: false }, (s) => s],
    ['a slug', { slug: 'elsewhere' }, (s) => s],
    ['a condition', { condition: 'true' }, (s) => s.replace('[1,2]\r\n', '[1,2]\r\nif: "true"\r\n')],
  ])('to %s rewrites the keys that it names and no other byte', async (_, change, expected) => {
    const page = await insertedPage(front + body);
    await writer.apply(updated(page, change));
    expect(await writer.source(page)).toBe(expected(front + body));
    const { source: _source, ...shown } = await writer.page(page, 'format=source');
    const { condition: _condition, ...wanted } = change as Record<string, unknown>;
    for (const [name, value] of Object.entries(wanted))
      if (value === '') expect(shown).not.toHaveProperty(name);
      else expect(shown).toHaveProperty(name, value);
  });

  it('clears emoji, icon, description and condition with an empty text', async () => {
    const page = await insertedPage(
      '---\nicon: bolt\nemoji: 🐞\ndescription: x\nif: "false"\nhidden: true\n---\nText.\n',
    );
    await writer.apply(updated(page, { icon: '', emoji: '', description: '', condition: '', hidden: false }));
    expect(await writer.source(page)).toBe('---\n---\nText.\n');
    for (const name of ['icon', 'emoji', 'description']) expect(await writer.page(page)).not.toHaveProperty(name);
  });

  it('keeps the emoji of a heading away once it is cleared', async () => {
    const page = await insertedPage('# 🚀 Start\n\nText.\n');
    expect(await writer.page(page)).toMatchObject({ title: 'Start', emoji: '🚀' });
    await writer.apply(updated(page, { emoji: '' }));
    await writer.apply(updated(page, { description: 'x' }));
    expect(await writer.page(page)).not.toHaveProperty('emoji');
  });

  it('renames a page without its old title above the text, whatever form its heading has', async () => {
    for (const heading of ['# Old\n', 'Old\n===\n', '<h1>Old</h1>\n', '# OLD\n', '']) {
      const page = await insertedPage(`${heading}\nText.\n`, { title: 'Old' });
      await writer.apply(updated(page, { title: 'New' }));
      expect([heading, await writer.markdown(page)]).toEqual([heading, '# New\n\nText.\n']);
      expect(await writer.nodes(page)).toMatchObject([{ type: 'paragraph' }]);
      expect((await writer.source(page)).endsWith(`${heading}\nText.\n`)).toBe(true);
      await writer.apply(updated(page, { title: 'Newer' }));
      expect([heading, await writer.markdown(page)]).toEqual([heading, '# Newer\n\nText.\n']);
      await writer.apply(updated(page, { title: 'Old' }));
      expect(await writer.nodes(page)).toMatchObject([{ type: 'paragraph' }]);
    }
  });

  it('that changes nothing makes no revision', async () => {
    const page = await insertedPage('---\ndescription: x\n---\n# Given\n\nText.\n');
    await writer.apply(inserted('Last'));
    const before = await writer.state();
    await writer.apply(updated(page, { title: 'Given', description: 'x', hidden: false, at: 0, into: null }));
    await writer.apply(updated(page, document('# Given\n\nText.\n')));
    await writer.apply(updated(page, {}));
    await writer.apply(updated(await writer.named('Last'), { at: 99 }));
    expect(await writer.state()).toEqual(before);
  });

  it('is of a source that can be edited: else it is refused, and another document helps', async () => {
    const imported = await ContentWriter.onImported({ client, organization, repositories }, 'broken', {
      'README.md': '---\ntitle: [\n---\n# Home\n',
    });
    const home = await imported.named('Home');
    expect(await imported.refused(updated(home, { description: 'x' }))).toEqual([
      400,
      'changes.0.document: its front matter cannot be edited; send a document with front matter of its own',
    ]);
    await imported.apply(updated(home, { slug: 'other' }), updated(home, document('# Home\n\nNew.\n')));
    expect(await imported.source(home)).toBe('---\ntitle: [\n---\n# Home\n\nNew.\n');
    await imported.apply(updated(home, { description: 'x', ...document('---\n---\nText.\n') }));
    expect(await imported.source(home)).toBe('---\ndescription: x\n---\nText.\n');
  });
});

describe('an update of the document', () => {
  it('keeps the front matter of the page, or replaces it by its own', async () => {
    const page = await insertedPage('---\r\ntitle: Named # kept\r\nicon: bolt\r\n---\r\nText.\r\n');
    await writer.apply(updated(page, document('Other.\n')));
    expect(await writer.source(page)).toBe('---\r\ntitle: Named # kept\r\nicon: bolt\r\n---\r\nOther.\n');
    await writer.apply(updated(page, { ...document('Third.\n'), description: 'x', icon: '' }));
    expect(await writer.source(page)).toBe('---\r\ntitle: Named # kept\r\ndescription: x\r\n---\r\nThird.\n');
    await writer.apply(updated(page, { ...document('---\nicon: bug\n---\nFourth.\n'), icon: 'no', hidden: true }));
    expect(await writer.source(page)).toBe('---\nicon: bug\nhidden: true\n---\nFourth.\n');
    expect(await writer.page(page)).toMatchObject({ title: 'Named', icon: 'bug', hidden: true });
    expect(await writer.page(page)).not.toHaveProperty('description');
  });

  it('renames the page by what it says, or by the change', async () => {
    const page = await insertedPage('# One\n\nText.\n');
    const titleAfter = async (change: object) => {
      await writer.apply(updated(page, change));
      return [(await writer.page(page)).title, (await writer.markdown(page)).split('\n')[0]];
    };
    expect(await titleAfter(document('# Two\n'))).toEqual(['Two', '# Two']);
    expect(await titleAfter(document('Text.\n'))).toEqual(['Two', '# Two']);
    expect(await titleAfter({ ...document('Text.\n'), title: 'Three' })).toEqual(['Three', '# Three']);
    expect(await titleAfter({ ...document('# Four\n'), title: 'Five' })).toEqual(['Four', '# Four']);
    expect(await titleAfter({ ...document('---\ntitle: Six\n---\n# Seven\n') })).toEqual(['Six', '# Six']);
    expect((await writer.page(page)).path).toBe('one');
  });

  it('keeps the title of the table of contents while the heading stays', async () => {
    const imported = await ContentWriter.onImported({ client, organization, repositories }, 'listed', {
      'SUMMARY.md': '* [Home](README.md)\n* [Short](long.md)\n',
      'README.md': '# Home\n',
      'long.md': '# A long heading\n\nText.\n',
    });
    const page = await imported.named('Short');
    await imported.apply(updated(page, document('# A long heading\n\nNew text.\n')));
    expect(await imported.page(page)).toMatchObject({ title: 'Short' });
    expect(await imported.markdown(page)).toBe('# Short\n\n# A long heading\n\nNew text.\n');
    expect(await imported.page(page, 'metadata=true')).toMatchObject({ git: { path: 'long.md' } });
    await imported.apply(updated(page, document('# Other\n\nNew text.\n')));
    expect(await imported.page(page)).toMatchObject({ title: 'Other' });
  });

  it('takes a document and a place at once, in the order of the changes', async () => {
    const [page, above] = (await writer.insert(inserted('Page'), inserted('Above'))) as [string, string];
    await writer.apply(
      updated(page, document('First.\n')),
      updated(page, { ...document('Second.\n'), into: above, slug: 'moved', icon: 'bolt' }),
      updated(page, { description: 'Third' }),
    );
    expect(await writer.outline()).toEqual([['Above', 'above', [['Page', 'above/moved']]]]);
    expect(await writer.source(page)).toBe('---\nicon: bolt\ndescription: Third\n---\n\nSecond.\n');
  });

  it('is not for groups and links of the navigation, whose metadata can be changed', async () => {
    const imported = await ContentWriter.onImported({ client, organization, repositories }, 'groups', {
      'SUMMARY.md': '* [Home](README.md)\n\n## Basics\n\n* [One](one.md)\n* [Elsewhere](https://example.com)\n',
      'README.md': '# Home\n',
      'one.md': '# One\n',
    });
    const [basics, one, link] = [
      await imported.named('Basics'),
      await imported.named('One'),
      await imported.named('Elsewhere'),
    ];
    expect(await imported.refused(updated(basics, document('Text.\n')))).toEqual([
      400,
      'changes.0.document: a group page has no document',
    ]);
    expect((await imported.refused(updated(link, document('Text.\n'))))[1]).toBe(
      'changes.0.document: a link page has no document',
    );
    expect((await imported.refused(inserted('X', { into: link })))[1]).toBe(
      'changes.0.into: a link page holds no pages',
    );
    expect((await imported.refused(updated(basics, { into: one })))[1]).toBe(
      'changes.0.into: a group stays at the top',
    );
    await imported.apply(updated(basics, { title: 'Foundations', slug: 'foundations', icon: 'bolt', hidden: true }));
    await imported.apply(updated(link, { title: 'Away', emoji: '🐞' }), inserted('Two', { into: basics, at: 0 }));
    expect(await imported.outline()).toEqual([
      ['Home', expect.any(String)],
      [
        'Foundations',
        'foundations',
        [
          ['Two', 'foundations/two'],
          ['One', 'foundations/one'],
          ['Away', undefined],
        ],
      ],
    ]);
    expect(await imported.page(basics)).toMatchObject({ type: 'group', icon: 'bolt', hidden: true });
    await imported.apply(updated(basics, { icon: '', hidden: false }));
    expect(await imported.page(basics)).not.toHaveProperty('icon');
  });
});
