import { newOrganization, newSpace, shared, walk } from '../support/fixtures.js';
import {
  type CommittedFiles,
  importedSpace,
  importInto,
  openRepositories,
  type Repositories,
} from '../support/repository.js';

const client = shared();
let organization: string;
let repositories: Repositories;
beforeAll(async () => {
  organization = await newOrganization(client);
  repositories = await openRepositories();
});
afterAll(() => repositories.close());

const imported = (name: string, files: CommittedFiles) =>
  importedSpace({ client, organization, repositories }, name, files);

describe('search', () => {
  it('finds pages and sections, the title first, and follows imports', async () => {
    const { space, url } = await imported('search', {
      'README.md': '# Start\n\nThe word install appears here, and cafés serve Crème brûlée.\n',
      'install.md': '# Install\n\nNothing more.\n',
      'guide.md':
        '# Guide\n\n## How to install\n\nFirst things first: unpack.\n\n## 数据库\n\n本章介绍数据库管理系统的基本概念。\n',
      'hidden.md': '---\nnoIndex: true\n---\n# Install secretly\n',
    });
    const find = async (query: string) =>
      (await client.get(`/v1/spaces/${space}/search?query=${encodeURIComponent(query)}`)).body;
    const titles = async (query: string) => (await find(query)).items.map(({ title }: { title: string }) => title);
    expect(await titles('install')).toEqual(['Install', 'Guide', 'Start']);
    expect(await titles('inst')).toEqual(['Install', 'Guide', 'Start']);
    expect(await titles('INSTALL unpack')).toEqual(['Guide']);
    expect(await titles('creme brulee')).toEqual(['Start']);
    expect(await titles('管理')).toEqual(['Guide']);
    expect(await titles('概念')).toEqual(['Guide']);
    expect(await titles('念基')).toEqual([]);
    expect(await find('nothing such')).toEqual({ count: 0, items: [] });
    expect(await find('  ')).toEqual({ count: 0, items: [] });
    const [guide] = (await find('unpack')).items;
    expect(guide.sections).toMatchObject([
      { title: 'How to install', path: 'guide#how-to-install', body: expect.stringContaining('unpack') },
    ]);
    expect(await walk(client, `/v1/spaces/${space}/search?query=install`, 1)).toHaveLength(3);
    await repositories.commit('search', { 'install.md': null, 'guide.md': '# Guide\n\nRewritten.\n' });
    await importInto(client, space, { url });
    expect(await titles('install')).toEqual(['Start']);
    expect(await titles('rewritten')).toEqual(['Guide']);
  });

  it.each([
    ['', 'query'],
    ['?query=', ''],
    [`?query=${'x'.repeat(513)}`, 'query'],
    ['?query=a&query=b', 'query'],
    ['?query=a&page=zzz', 'page'],
  ])('with "%s" answers as specified', async (query, field) => {
    const space = await newSpace(client, organization);
    const { status, body } = await client.get(`/v1/spaces/${space}/search${query}`);
    if (field === '') expect([status, body]).toEqual([200, { count: 0, items: [] }]);
    else expect([status, body.error.message]).toEqual([400, expect.stringContaining(field)]);
  });
});
