import { newOrganization, shared } from '../support/fixtures.js';
import { type CommittedFiles, importedSpace, openRepositories, pagesOf } from '../support/repository.js';
import { newSite } from '../support/site.js';

const client = shared();
const titles = Array.from({ length: 400 }, (_, at) => `Zebra ${at}`);

/** What takes some milliseconds to evaluate for each visitor: conditions and expressions. */
const costly = Array.from(
  { length: 100 },
  (_, at) =>
    `{% if visitor.claims.unsigned.plan == "pro" %}\nA zebra <code class="expression">visitor.claims.unsigned.plan + "${at}"</code>.\n{% endif %}\n`,
).join('\n');

it('searches of visitors end within their budget, and another tenant reads meanwhile', async () => {
  const repositories = await openRepositories();
  const files: CommittedFiles = Object.fromEntries(
    titles.map((title, at) => [at === 0 ? 'README.md' : `page-${at}.md`, `# ${title}\n\n${costly}`]),
  );
  const [organization, other] = [await newOrganization(client), await newOrganization(client)];
  const { space } = await importedSpace({ client, organization, repositories }, 'costly', files);
  const elsewhere = await importedSpace({ client, organization: other, repositories }, 'plain', {
    'README.md': '# Home\n\n{% if true %}\nPlain.\n{% endif %}\n',
  });
  await repositories.close();
  const site = await newSite(organization, { spaces: [space] });
  const { urls } = await site.ok('POST', '/publish');
  /** A search by a visitor of its own, as what one visitor sees of a page is kept for the next search. */
  async function searchTwice(at: number) {
    const visitor = { unsignedClaims: { plan: 'pro', at } };
    const { apiToken: token } = (await client.post('/v1/urls/published', { url: urls.published, visitor })).body;
    const timed = async (method: string, path: string, body?: object) => {
      const since = performance.now();
      const answer = await client.request(method, path, body, { token });
      return { ...answer, ms: performance.now() - since };
    };
    const first = await timed('GET', `/v1/spaces/${space}/search?query=zebra&limit=1000`);
    const second = await timed('POST', site.at('/search'), { query: 'zebra', mode: 'all' });
    return { first, second };
  }

  let searching = true;
  const reads: number[] = [];
  const [page] = await pagesOf(client, elsewhere.space);
  const reading = (async () => {
    while (searching) {
      const since = performance.now();
      const path = `/v1/spaces/${elsewhere.space}/content/page/${page?.id}?format=document`;
      expect((await client.get(path)).status).toBe(200);
      reads.push(performance.now() - since);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => searchTwice(at)));
  searching = false;
  await reading;
  for (const { first, second } of answers) {
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.body.count).toBeGreaterThan(0);
    // All of them take many times the budget.
    expect(first.body.count).toBeLessThan(titles.length);
    expect(second.body.items).toHaveLength(1);
    // Three seconds, the page that was begun by then, and a busy machine.
    for (const { ms } of [first, second]) expect(ms).toBeLessThan(12_000);
  }
  expect(reads.length).toBeGreaterThan(3);
  expect(Math.max(...reads)).toBeLessThan(3_000);
});
