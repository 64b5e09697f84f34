import { ContentWriter, deleted, document, inserted, reverted, updated } from '../support/content-changes.js';
import { newOrganization, newSpace, shared } from '../support/fixtures.js';
import { openRepositories, type Repositories } from '../support/repository.js';

const client = shared();
let organization: string;
let repositories: Repositories;
let writer: ContentWriter;
beforeAll(async () => {
  organization = await newOrganization(client);
  repositories = await openRepositories();
  await repositories.commit('reverting', {
    'SUMMARY.md':
      '* [Home](README.md)\n* [Guide](guide.md)\n  * [One](one.md)\n    * [Deep](deep.md)\n  * [Two](two.md)\n* [Last](last.md)\n',
    'README.md': '# Home\n\nWelcome.\n',
    'guide.md': '---\ndescription: How\n---\n# Guide\n\nText.\n',
    'one.md': '# One\n',
    'deep.md': '# Deep\n',
    'two.md': '# Two\n',
    'last.md': '# Last\n',
  });
});
afterAll(() => repositories.close());

let tree: unknown;
beforeEach(async () => {
  writer = await ContentWriter.onImported({ client, organization, repositories }, 'reverting', {});
  tree = await writer.tree();
});

const untimed = (value: any): any => {
  if (Array.isArray(value)) return value.map(untimed);
  const { updatedAt: _, createdAt: __, pages, ...own } = value;
  return pages ? { ...own, pages: untimed(pages) } : own;
};
const isAsBefore = async () => expect(untimed(await writer.tree())).toEqual(untimed(tree));

describe('a reverted page', () => {
  it('gets back its text, its metadata, its title and its place', async () => {
    const guide = await writer.named('Guide');
    await writer.apply(
      updated(guide, { title: 'Other', slug: 'other', icon: 'bolt', description: '', hidden: true, at: 0 }),
    );
    await writer.apply(updated(guide, document('---\ntitle: New\n---\nNew.\n')));
    await writer.apply(reverted(guide));
    await isAsBefore();
    expect(await writer.source(guide)).toBe('---\ndescription: How\n---\n# Guide\n\nText.\n');
    const one = await writer.named('One');
    await writer.apply(updated(one, { into: null, at: 0 }));
    await writer.apply(reverted(one));
    await isAsBefore();
  });

  it('that was added goes, with what is below it', async () => {
    const [added] = await writer.insert(inserted('Added'));
    const [below] = await writer.insert(inserted('Below', { into: added }));
    const { changes } = await writer.apply(reverted(added as string));
    expect(changes.map(({ page }: any) => page)).toEqual([added, below]);
    await isAsBefore();
  });

  it('that was deleted comes back in its place, with its subpages', async () => {
    const [guide, one, deep] = [await writer.named('Guide'), await writer.named('One'), await writer.named('Deep')];
    await writer.apply(deleted(guide));
    const { changes } = await writer.apply(reverted(guide));
    expect(changes).toHaveLength(4);
    await isAsBefore();
    await writer.apply(updated(deep, { into: null }), deleted(guide), inserted('Guide'));
    await writer.apply(reverted(one));
    expect((await writer.pages()).map(({ path }) => path)).toEqual(['readme', 'last', 'deep', 'guide', 'one']);
    await writer.apply(reverted(guide), reverted(one), reverted(deep));
    expect((await writer.pages()).map(({ path }) => path)).toEqual([
      'readme',
      'guide-1',
      'guide-1/one',
      'guide-1/one/deep',
      'guide-1/two',
      'last',
      'guide',
    ]);
  });

  it('forgets what the same batch wrote before, and takes what it writes after', async () => {
    const [guide, last] = [await writer.named('Guide'), await writer.named('Last')];
    const before = await writer.revision();
    await writer.apply(updated(guide, document('New.\n')), reverted(guide));
    await writer.apply(updated(last, document('New.\n')), deleted(last), reverted(last));
    await isAsBefore();
    expect(await writer.source(guide)).toContain('Text.');
    expect(await writer.source(last)).toBe('# Last\n');
    expect(await writer.revision()).toBe(before);
    await writer.apply(updated(guide, document('New.\n')));
    await writer.apply(reverted(guide), updated(guide, { icon: 'bolt' }));
    expect(await writer.source(guide)).toBe('---\ndescription: How\nicon: bolt\n---\n# Guide\n\nText.\n');
  });

  it('goes back to a revision that the change names', async () => {
    const guide = await writer.named('Guide');
    await writer.apply(updated(guide, document('First.\n')));
    const revision = await writer.revision();
    await writer.apply(updated(guide, document('Second.\n')));
    await writer.apply(reverted(guide, { revision }));
    expect(await writer.source(guide)).toContain('First.');
    await writer.apply(deleted(guide));
    await writer.apply(reverted(guide, { revision }));
    expect((await writer.page(guide)).path).toBe('guide');
    const other = await newSpace(client, organization);
    const elsewhere = (await client.get(`/v1/spaces/${other}`)).body.revision;
    for (const unknown of ['nowhere', elsewhere])
      expect(await writer.refused(reverted(guide, { revision: unknown }))).toEqual([
        400,
        'changes.0.revision: there is no such revision of this space, or it is no longer kept',
      ]);
    expect(await writer.refused(reverted('nowhere'))).toEqual([400, 'changes.0.page: there is no page nowhere']);
  });

  it('stays where it is when its former place is below itself', async () => {
    const [guide, one] = [await writer.named('Guide'), await writer.named('One')];
    await writer.apply(updated(one, { into: null }), updated(guide, { into: one }));
    await writer.apply(reverted(one));
    expect((await writer.page(guide)).path).toBe('one/guide');
    await writer.apply(reverted(guide), reverted(one));
    await isAsBefore();
  });

  it('in a live space goes back to the revision before', async () => {
    const space = await newSpace(client, organization, { editMode: 'live' });
    const send = (...changes: unknown[]) => client.post(`/v1/spaces/${space}/content`, { changes });
    const page = (await send(inserted('Page'))).body.pages[0].id;
    await send(updated(page, document('Second.\n')));
    await send(reverted(page));
    expect((await client.get(`/v1/spaces/${space}/content/page/${page}?format=source`)).body.source).toBe(
      'About Page.\n',
    );
  });
});

describe('reverted blocks', () => {
  const source = '---\r\nicon: bolt\r\n---\r\n# Page\r\n\r\nOne.\r\n\r\nTwo, see [gone](gone.md).\r\n\r\n* three\r\n';
  const keys = async (page: string) => (await writer.nodes(page)).map(({ key }: any) => key as string);
  let page: string;
  beforeEach(async () => {
    writer = await ContentWriter.onImported({ client, organization, repositories }, 'blocks', {
      'README.md': '# Home\n',
      'page.md': source,
    });
    page = await writer.named('Page');
  });

  it('that were changed, deleted or added are as they were; all else stays as it is', async () => {
    const [one, two] = (await keys(page)) as [string, string];
    const changed = source
      .replace('One.', 'Uno.')
      .replace(/Two.*\r\n\r\n/, '')
      .replace('* three', '* drei\r\n\r\nAdded.');
    await writer.apply(updated(page, { ...document(changed), title: 'Renamed' }), updated(page, { slug: 'other' }));
    expect(await writer.source(page)).toContain('Uno.\r\n\r\n* drei');
    const added = (await keys(page)).at(-1) as string;
    await writer.apply(reverted(page, { block: [two] }));
    const renamed = changed.replace('icon: bolt', 'icon: bolt\r\ntitle: Renamed');
    const restored = renamed.replace('* drei', 'Two, see [gone](gone.md).\r\n\r\n* drei');
    expect(await writer.source(page)).toBe(restored);
    await writer.apply(reverted(page, { block: [one, added] }));
    expect(await writer.source(page)).toBe(restored.replace('Uno.', 'One.').replace('\r\n\r\nAdded.', ''));
    expect(await writer.page(page)).toMatchObject({ title: 'Renamed', slug: 'other', icon: 'bolt' });
  });

  it('are named by keys that the page has now, or had', async () => {
    const [one] = (await keys(page)) as [string];
    expect(await writer.refused(reverted(page, { block: [one, 'nowhere'] }))).toEqual([
      400,
      'changes.0.block: there is no block nowhere',
    ]);
    const before = await writer.state();
    await writer.apply(reverted(page, { block: [one, one] }));
    expect(await writer.state()).toEqual(before);
    const [added] = (await writer.insert(inserted('Added'))) as [string];
    expect((await writer.refused(reverted(added, { block: await keys(added) })))[0]).toBe(400);
    expect((await writer.refused(reverted(page, { block: [one], revision: 'nowhere' })))[0]).toBe(400);
  });

  it('go back to a revision that the change names, and follow what the batch wrote before', async () => {
    const hidden = '{% if visitor.claims.beta %}\nBeta.\n{% endif %}\n';
    await writer.apply(updated(page, document(`First.\n\n${hidden}\nSecond.\n`)));
    const revision = await writer.revision();
    const block = (await keys(page)).slice(0, 2);
    await writer.apply(updated(page, document('First.\n\nSecond.\n')));
    await writer.apply(updated(page, document('Changed.\n\nThird.\n')), reverted(page, { block, revision }));
    expect(await writer.source(page)).toBe(`---\r\nicon: bolt\r\n---\r\nFirst.\n\n${hidden}\nThird.\n`);
    expect((await writer.page(page, 'format=markdown&evaluated=true')).markdown).toBe(
      '# Page\n\nFirst.\n\n\n\nThird.\n',
    );
  });
});
