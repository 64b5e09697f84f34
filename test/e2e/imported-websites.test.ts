import { newOrganization, newSpace, shared } from '../support/fixtures.js';
import { ImportTarget } from '../support/imports/import-target.js';
import { Web } from '../support/imports/web.js';

const client = shared();

/** Imports a website, and tells when each of its addresses was asked for. */
async function imported(answers: Record<string, string>) {
  const asked: [path: string, at: number][] = [];
  const noted = Object.entries(answers).map(([path, text]) => [
    path,
    (_: unknown, response: { setHeader(name: string, value: string): void; end(text: string): void }) => {
      asked.push([path, performance.now()]);
      response.setHeader('content-type', path.endsWith('.txt') ? 'text/plain' : 'text/html');
      response.end(text);
    },
  ]);
  const web = new Web(Object.fromEntries(noted));
  await web.start();
  try {
    const space = new ImportTarget(web, await newSpace(client, await newOrganization(client)), client);
    const { importedResources, totalResources } = await space.imported('website', '/');
    return { asked, counts: [importedResources, totalResources], pages: await space.pages() };
  } finally {
    web.stop();
  }
}

describe('the import of a website', () => {
  it('ends with 200 pages, where there are more', async () => {
    const names = Array.from({ length: 230 }, (_, at) => `page-${at}`);
    const links = names.map((name) => `<a href="/${name}">${name}</a>`).join(' ');
    const pages = Object.fromEntries(names.map((name) => [`/${name}`, `<h1>${name}</h1><p>${name}</p>`]));
    const { asked, counts, pages: tree } = await imported({ '/': `<h1>Home</h1>${links}`, ...pages });
    expect(counts).toEqual([200, 200]);
    expect(tree[0]?.pages?.map(({ title }) => title)).toEqual(names.slice(0, 199));
    expect(asked).toHaveLength(200);
  }, 60_000);

  it('asks as seldom as its robots.txt wishes, for one page at a time', async () => {
    const { asked, counts } = await imported({
      '/robots.txt': 'User-agent: Bindery\nCrawl-delay: 0.5\n',
      '/': '<h1>Home</h1><a href="/a">A</a><a href="/b">B</a>',
      '/a': '<h1>A</h1>',
      '/b': '<h1>B</h1>',
    });
    expect(counts).toEqual([3, 3]);
    const [, ...pages] = asked;
    expect(pages.map(([path]) => path)).toEqual(['/', '/a', '/b']);
    for (const [at, [, time]] of pages.entries())
      if (at > 0) expect(time - (pages[at - 1]?.[1] ?? 0)).toBeGreaterThanOrEqual(490);
  });
});
