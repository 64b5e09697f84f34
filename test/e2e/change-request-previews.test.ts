import { decodeJwt } from 'jose';
import { PublishedSites } from '../support/published-sites.js';
import { importInto, openRepositories } from '../support/repository.js';

const sites = new PublishedSites();
const { ask, at, idOf, meaning, ok, spaces } = sites;
let changeRequest: { id: string; number: number; revision: string };
let other: { id: string; number: number; revision: string };
let preview: string;

beforeAll(async () => {
  await sites.open();
  const make = async (space = '') => ok(sites.server.post(`/v1/spaces/${space}/change-requests`, { subject: 'Draft' }));
  changeRequest = await make(spaces.guide);
  other = await make(spaces.guide);
  await make(spaces.solo);
  const repositories = await openRepositories();
  for (const words of ['Go on.', 'Go on and on.']) {
    await repositories.commit('later', {
      'README.md': '# Home\n',
      'start.md': `# Start\n\n${words}\n`,
      'SUMMARY.md': '# Summary\n\n* [Home](README.md)\n* [Start](start.md)\n',
      '.gitbook.yaml': 'redirects:\n  began: start.md\n',
    });
    await importInto(sites.server, spaces.guide as string, { url: `${repositories.url}/later.git` });
  }
  await repositories.close();
  preview = (await ok(sites.server.get(at('main', '/publishing/preview')))).url;
});
afterAll(() => sites.close());

const resolved = async (path: string) => (await ok(ask(preview + path))) as Record<string, any>;
const read = (token: string, path: string) => sites.server.get(`/v1/spaces/${spaces.guide}${path}`, { token });

describe('a change request in a preview', () => {
  it('is found by its id and its number, and named by its id', async () => {
    const start = new URL(preview).pathname;
    for (const name of [changeRequest.id, changeRequest.number]) {
      const base = `${start}~/changes/${name}/`;
      expect(await resolved(`~/changes/${name}/start`)).toMatchObject({
        changeRequest: changeRequest.id,
        space: spaces.guide,
        pathname: 'start',
        basePath: base,
        siteBasePath: start,
        complete: true,
      });
    }
    expect(await meaning(`${preview}~/changes/1/v2/x`)).toBe('404');
    for (const path of ['~/changes/99', '~/changes/nope/start', '~/changes/%00', 'tools/~/changes/1'])
      expect([path, await meaning(preview + path)]).toEqual([path, '404']);
  });

  it('is read with the token of the preview', async () => {
    const { apiToken } = await resolved(`~/changes/${changeRequest.number}`);
    const space = `/change-requests/${changeRequest.id}`;
    const told = await read(apiToken, space);
    expect([told.status, told.body.revision]).toEqual([200, changeRequest.revision]);
    expect(told.body.createdBy).not.toHaveProperty('email');
    const page = await read(apiToken, `${space}/content/path/start?format=markdown`);
    expect([page.status, page.body.markdown]).toEqual([200, '# Start\n\nBegin.\n']);
    const revision = `/revisions/${changeRequest.revision}`;
    const document = await read(apiToken, `${revision}/page/${page.body.id}/document?evaluated=true`);
    expect([document.status, JSON.stringify(document.body).includes('Begin.')]).toEqual([200, true]);
    const current = await read(apiToken, `/content/path/start?format=markdown`);
    expect(current.body.markdown).toContain('Go on and on.');
  });

  it('is read with the token of any preview: renderers look up the site without the change request', async () => {
    const plain = (await resolved('')).apiToken;
    for (const path of [
      `/change-requests/${other.id}`,
      `/change-requests/${other.number}/content`,
      `/revisions/${changeRequest.revision}`,
    ])
      expect([path, (await read(plain, path)).status]).toEqual([path, 200]);
    const solo = `/v1/spaces/${spaces.solo}/change-requests/1`;
    expect((await sites.server.get(solo, { token: plain })).status).toBe(404);
  });

  it('hides the pages that are hidden from the visitor', async () => {
    const paths = async (token: string) => {
      const { body } = await read(token, `/change-requests/${changeRequest.id}/content/pages`);
      return body.pages.map((page: any) => page.path);
    };
    expect(await paths((await resolved('~/changes/1')).apiToken)).not.toContain('secret');
    const url = (await ok(sites.server.get(at('main', '/publishing/preview?claims=(unsigned:(plan:pro))')))).url;
    expect(await paths((await ok(ask(`${url}~/changes/1`))).apiToken)).toContain('secret');
  });

  it('is read by no visitor of the site', async () => {
    const published = (await ok(ask('https://acme.docs.test/'))).apiToken;
    for (const path of [
      `/change-requests/${changeRequest.id}`,
      `/change-requests/1/content`,
      `/revisions/${changeRequest.revision}`,
    ])
      expect([path, (await read(published, path)).status]).toEqual([path, 404]);
    expect(await meaning('https://acme.docs.test/~/changes/1')).toBe('404');
  });

  it('is named by one token for a whole window', async () => {
    const window = () => Math.floor(Date.now() / 1_800_000);
    let [before, tokens] = [-1, [''] as string[]];
    while (window() !== before) {
      before = window();
      tokens = await Promise.all(
        ['1', '1/start', changeRequest.id].map(async (to) => (await resolved(`~/changes/${to}`)).apiToken),
      );
    }
    expect(new Set(tokens).size).toBe(1);
    expect(decodeJwt(tokens[0] as string)).toMatchObject({
      changeRequest: { space: spaces.guide, id: changeRequest.id },
    });
  });

  it('is where redirects stay', async () => {
    const source = '/went';
    const { body: start } = await sites.server.get(`/v1/spaces/${spaces.guide}/content/path/start`);
    const destination = { kind: 'site-page', siteSpaceId: idOf('guide1'), pageId: start.id };
    await ok(sites.server.post(at('main', '/redirects'), { source, destination }));
    const redirected = async (token: string, from: string) =>
      (await sites.server.get(at('main', `/redirect?source=${from}`), { token })).body.target;
    const { apiToken } = await resolved('~/changes/1');
    expect(await redirected(apiToken, source)).toBe(`${preview}~/changes/${changeRequest.id}/start`);
    const plain = (await resolved('')).apiToken;
    expect(await redirected(plain, source)).toBe(`${preview}start`);
    expect(await redirected(plain, '/began')).toBe(`${preview}start`);
    expect(await redirected(apiToken, '/began')).toBeUndefined();
  });
});

describe('a change request that changes while it is previewed', () => {
  it('is read on by the id of the revision before', async () => {
    const { body: made } = await sites.server.post(`/v1/spaces/${spaces.guide}/change-requests`);
    const { apiToken } = await resolved(`~/changes/${made.number}`);
    const pageAt = (revision: string) => read(apiToken, `/revisions/${revision}/path/start?format=markdown`);
    const { body: start } = await pageAt(made.revision);
    for (const markdown of ['# Start\n\nOnce.\n', '# Start\n\nTwice.\n']) {
      const changes = [{ operation: 'update_page', page: start.id, document: { markdown } }];
      await ok(sites.server.post(`/v1/spaces/${spaces.guide}/change-requests/${made.id}/content`, { changes }));
    }
    const { body: now } = await read(apiToken, `/change-requests/${made.id}`);
    const { body: content } = await read(apiToken, `/change-requests/${made.id}/content`);
    expect(content.id).toBe(now.revision);
    for (const revision of [now.revision, ...content.parents])
      expect((await pageAt(revision)).body.markdown).toContain('Twice.');
    expect((await pageAt(made.revision)).body.markdown).toContain('Go on and on.');
  });
});

describe('a preview URL for a change request', () => {
  const previewOf = (query: string) => sites.server.get(at('main', `/publishing/preview?${query}`));

  it('shows it without naming it in the path, as renderers ask', async () => {
    const { url } = await ok(previewOf(`siteSpace=${idOf('guide1')}&changeRequest=1`));
    const { body } = await ask(url);
    expect(body).toMatchObject({ changeRequest: changeRequest.id, pathname: '', basePath: new URL(url).pathname });
    expect((await read(body.apiToken, `/change-requests/1/content`)).status).toBe(200);
    const elsewhere = await ok(ask(`${url}tools/x`));
    expect(elsewhere.changeRequest).toBeUndefined();
    const published = await sites.server.get(at('main', '/published'), { token: body.apiToken });
    expect((await ok(ask(published.body.site.urls.published))).changeRequest).toBe(changeRequest.id);
  });

  it.each(['changeRequest=1', `siteSpace=:guide1&changeRequest=99`, `siteSpace=:tools1&changeRequest=1`])(
    'is refused for %s',
    async (query) => {
      const { status, body } = await previewOf(query.replace(/:(\w+)/, (_, name) => idOf(name)));
      expect([status, body.error.message]).toEqual([400, expect.stringMatching(/^changeRequest: /)]);
    },
  );
});

describe('a revision in a preview', () => {
  it('is read with the token of the preview', async () => {
    const { apiToken, revision, basePath } = await resolved(`~/revisions/${changeRequest.revision}/start`);
    expect([revision, basePath.endsWith(`/~/revisions/${changeRequest.revision}/`)]).toEqual([
      changeRequest.revision,
      true,
    ]);
    const page = await read(apiToken, `/revisions/${revision}/path/start?format=markdown`);
    expect(page.body.markdown).toContain('Begin.');
    expect(await meaning(`${preview}~/revisions/nope`)).toBe('404');
  });
});
