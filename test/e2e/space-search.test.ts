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
  it('puts the title that is the query first: repeats, order and case count', async () => {
    const versions = Array.from({ length: 164 }, (_, at) => `${at % 4}.${Math.floor(at / 4) % 3}.${at % 7}`);
    const names = [...new Set([...versions, '1.1.0', '1.1.0 beta', 'API', 'api'])];
    const files = names.map((title, at): [string, string] => [
      `p${at}.md`,
      `# ${title}\n\nVersion 0 of 1, with 0 and 1 and the api. Never mind ${names.length - at}.\n`,
    ]);
    const { space } = await imported('versions', Object.fromEntries(files));
    const find = async (query: string) => (await client.get(`/v1/spaces/${space}/search?query=${query}`)).body.items;
    const titles = async (query: string) => (await find(query)).map(({ title }: { title: string }) => title);
    expect((await titles('1.1.0')).slice(0, 2)).toEqual(['1.1.0', '1.1.0 beta']);
    expect((await titles('1.0.0'))[0]).toBe('1.0.0');
    expect([(await titles('API'))[0], (await titles('api'))[0]]).toEqual(['API', 'api']);
    const found = await find('1.1.0');
    expect(found.map(({ rank }: { rank: number }) => rank)).toEqual(found.map((_: unknown, at: number) => at + 1));
    const scores = found.map(({ score }: { score: number }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    const { body } = await client.get(`/v1/orgs/${organization}/search?query=1.1.0`);
    expect(body.items).toMatchObject([{ type: 'space', id: space, score: expect.any(Number) }]);
    const best = [
      { title: '1.1.0', rank: 1 },
      { title: '1.1.0 beta', rank: 2 },
    ];
    expect(body.items[0].pages.slice(0, 2)).toMatchObject(best);
  });

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
