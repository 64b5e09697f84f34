import { checkedDomain, proveDomain, setRecords } from '../support/domains.js';
import { newOrganization, newSpace, unique } from '../support/fixtures.js';
import { endpointScript, renderingScript } from '../support/integration-scripts.js';
import { install, publish } from '../support/integrations.js';
import { type CommittedFiles, importedSpace, openRepositories, pagesOf } from '../support/repository.js';
import { type StartedServer, startServer } from '../support/server.js';
import { newSite } from '../support/site.js';

/** With the deadlines that users have, where other tests have ten times as long. */
let server: StartedServer;
let organization: string;
beforeAll(async () => {
  server = await startServer({ env: { TIME_SCALE: '1', OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' } });
  organization = await newOrganization(server);
});
afterAll(() => server.stop());

it.concurrent('a script that never answers a public endpoint is a 422, and others are served meanwhile', async () => {
  const name = await publish(server, organization, endpointScript);
  const { urls } = await install(server, name, organization);
  const answered: number[] = [];
  const ask = async (path: string) => {
    const answer = await fetch(`${urls.publicEndpoint}/${path}`);
    answered.push(answer.status);
    return answer;
  };
  const never = ask('never');
  await ask('echo');
  const { error } = (await (await never).json()) as any;
  expect(error.message).toMatch(/^The integration failed: .*10 s/);
  expect(answered).toEqual([201, 422]);
});

it.concurrent('a component that never renders is a 422', async () => {
  const name = await publish(server, organization, renderingScript);
  const space = await newSpace(server, organization);
  await install(server, name, organization, { space_selection: 'all' });
  const context = { type: 'document', spaceId: space, editable: false, theme: 'light' };
  const { status, body } = await server.post(`/v1/integrations/${name}/render`, {
    componentId: 'never',
    props: {},
    context,
  });
  expect([status, body.error?.message]).toEqual([422, expect.stringMatching(/^The integration failed: .*8 s/)]);
});

it.concurrent('a domain whose name server never answers stays as it is', async () => {
  const domain = `docs.${unique('silent').replace(/\W/g, '-')}.example`;
  await proveDomain(server, organization, domain);
  const { record } = (await server.get(`/v1/orgs/${organization}/domains/${domain}`)).body;
  await setRecords(record.name, 'silence');
  const checked = await checkedDomain(server, organization, domain);
  expect(checked).toMatchObject({ status: 'proven', problem: expect.stringContaining('TIMEOUT') });
  expect(checked.missingSince).toBeUndefined();
});

describe('searches of visitors', () => {
  const titles = Array.from({ length: 400 }, (_, at) => `Zebra ${at}`);

  /** What takes some milliseconds to evaluate for each visitor: conditions and expressions. */
  const costly = Array.from(
    { length: 100 },
    (_, at) =>
      `{% if visitor.claims.unsigned.plan == "pro" %}\nA zebra <code class="expression">visitor.claims.unsigned.plan + "${at}"</code>.\n{% endif %}\n`,
  ).join('\n');

  it('end within their budget, and another tenant reads meanwhile', async () => {
    const repositories = await openRepositories();
    const files: CommittedFiles = Object.fromEntries(
      titles.map((title, at) => [at === 0 ? 'README.md' : `page-${at}.md`, `# ${title}\n\n${costly}`]),
    );
    const other = await newOrganization(server);
    const { space } = await importedSpace({ client: server, organization, repositories }, 'costly', files);
    const elsewhere = await importedSpace({ client: server, organization: other, repositories }, 'plain', {
      'README.md': '# Home\n\n{% if true %}\nPlain.\n{% endif %}\n',
    });
    await repositories.close();
    const site = await newSite(organization, { spaces: [space] }, server);
    const { urls } = await site.ok('POST', '/publish');
    let searching = true;
    /** A search by a visitor of its own, as what one visitor sees of a page is kept for the next search. */
    async function searchTwice(at: number) {
      const visitor = { unsignedClaims: { plan: 'pro', at } };
      const { apiToken: token } = (await server.post('/v1/urls/published', { url: urls.published, visitor })).body;
      const first = await server.get(`/v1/spaces/${space}/search?query=zebra&limit=1000`, { token });
      const second = await server.post(site.at('/search'), { query: 'zebra', mode: 'all' }, { token });
      return { first, second };
    }

    const [page] = await pagesOf(server, elsewhere.space);
    const reading = (async () => {
      let reads = 0;
      for (; searching; reads++) {
        const path = `/v1/spaces/${elsewhere.space}/content/page/${page?.id}?format=document`;
        expect((await server.get(path)).status).toBe(200);
      }
      return reads;
    })();
    const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => searchTwice(at)));
    searching = false;
    expect(await reading).toBeGreaterThan(10);
    expect(answers.map(({ first, second }) => [first.status, second.status])).toEqual(answers.map(() => [200, 200]));
    // All pages take many times the budget.
    const counts = answers.map(({ first }) => first.body.count);
    expect(Math.max(...counts)).toBeLessThan(titles.length);
    expect(Math.max(...counts)).toBeGreaterThan(0);
    for (const { second } of answers) expect(second.body.items).toHaveLength(1);
  });
});
