import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../../../shared/testing/eventually.js';
import { inserted, updated } from '../../support/content-changes.js';
import { exportFrom, syncedSpace } from '../../support/exports.js';
import { newOrganization, newSpace } from '../../support/fixtures.js';
import { Web } from '../../support/imports/web.js';
import { petstore, processed, textOf } from '../../support/openapi.js';
import { importInto, openRepositories, operationEnd, pagesOf, type Repositories } from '../../support/repository.js';
import type { Client } from '../../support/server.js';

/** Work that goes on after its request, under way when the server is killed. */
export interface Job {
  /** Resolves when it is under way. */
  begin(round: number): Promise<void>;
  /** Expects that it goes on by itself, and is done once. */
  check(round: number): Promise<void>;
}

/** A hook of a repository that waits until the test lets it go on. */
export async function heldAt(repositories: Repositories, name: string, hook: string) {
  const [waiting, go] = ['waiting', 'go'].map((mark) => join(repositories.folderOf(name), mark)) as [string, string];
  const hold = `touch '${waiting}'; while ! test -e '${go}'; do sleep 0.02; done`;
  return {
    hold: (end: string) => repositories.hook(name, hook, `${hold}\n${end}`),
    waits: () => eventually(`the ${hook} hook`, () => existsSync(waiting)),
    release: () => writeFile(go, ''),
  };
}

const pages = 300;
const words = 'Some words to read. '.repeat(200);

/** An import leaves the old content until it is whole. */
export async function gitImportJob(client: Client, repositories: Repositories): Promise<Job> {
  const url = `${repositories.url}/docs.git`;
  const space = await newSpace(client, await newOrganization(client));
  await repositories.commit('docs', { 'README.md': '# Old\n\nThe old home.\n' });
  let last = await importInto(client, space, { url });
  const shown = async () => (await client.get(`/v1/spaces/${space}/content`)).body;
  const page = (at: number, round: number): [string, string] => [
    `page-${at}.md`,
    `# Page ${at} of ${round}\n\n${words}\n`,
  ];
  return {
    async begin(round) {
      const files = Object.fromEntries(Array.from({ length: pages }, (_, at) => page(at, round)));
      await repositories.commit('docs', { 'README.md': '# New\n', ...files });
      await client.post(`/v1/spaces/${space}/git/import`, { url, ref: 'refs/heads/main' });
    },
    async check(round) {
      const now = await shown();
      if (now.id !== last.revision) expect(now.pages).toHaveLength(pages + 1);
      const end = await operationEnd(client, space);
      expect(end).toMatchObject({ state: 'success' });
      const made = await shown();
      expect([made.id, made.parents, made.pages.length]).toEqual([end.revision, [last.revision], pages + 1]);
      last = end;
      const { id } = made.pages.find(({ title }: any) => title === `Page ${pages - 1} of ${round}`);
      const { body } = await client.get(`/v1/spaces/${space}/content/page/${id}?format=markdown`);
      expect(body.markdown).toBe(page(pages - 1, round)[1]);
      const search = async (words: string) => (await client.get(`/v1/spaces/${space}/search?query=${words}`)).body;
      expect((await search(`page ${pages - 1}`)).items[0].id).toBe(id);
      expect((await search('home')).count).toBe(0);
    },
  };
}

const webPages = 12;
/** The page whose first request is never answered. */
const held = '/page-6';

/** An import of a website runs again, and comes in once. */
export async function websiteImportJob(client: Client): Promise<Job & { close(): void }> {
  const organization = await newOrganization(client);
  let isHeld = false;
  const paths = Array.from({ length: webPages }, (_, at) => `/page-${at}`);
  const web = new Web({
    '/': `<h1>Home</h1>${paths.map((path) => `<a href="${path}">x</a>`).join('')}`,
    ...Object.fromEntries(paths.map((path) => [path, `<h1>${path}</h1>`])),
    [held]: (_, response) => {
      if (!isHeld) response.setHeader('content-type', 'text/html').end(`<h1>${held}</h1>`);
      isHeld = false;
    },
  });
  let space = '';
  await web.start();
  return {
    async begin() {
      space = await newSpace(client, organization);
      isHeld = true;
      web.asked.length = 0;
      // The answer is lost with the server.
      client
        .post(`/v1/spaces/${space}/content/import`, { url: `${web.url}/`, source: 'website' })
        .catch(() => undefined);
      await eventually(`a request for ${held}`, () => web.asked.includes(held));
    },
    async check(round) {
      const imports = async () => (await client.get(`/v1/orgs/${organization}/imports?limit=100`)).body.items;
      const isOver = (items: any[]) => items.every(({ state }) => !['in-progress', 'pending'].includes(state));
      const items = await eventually('the end of the import of a website', imports, isOver);
      const all = webPages + 1;
      const whole = { state: 'completed', importedResources: all, totalResources: all };
      expect(items).toEqual(Array.from({ length: round }, () => expect.objectContaining(whole)));
      const { body } = await client.get(`/v1/spaces/${space}/content`);
      expect(items.map(({ revision }: any) => revision)).toContain(body.id);
      expect(body.pages.map(({ title, pages: below }: any) => [title, below.length])).toEqual([['Home', webPages]]);
      expect((await client.get(`/v1/spaces/${space}/revisions`)).body.count).toBe(2);
    },
    close: () => web.stop(),
  };
}

/** A specification of some megabytes keeps its version before, until the next is whole. */
export async function specificationJob(client: Client): Promise<Job> {
  const path = `/v1/orgs/${await newOrganization(client)}/openapi/large`;
  const large = (title: string) => {
    const operation = (at: number) => ({ get: { summary: `${title} ${at}`, description: 'x'.repeat(1200) } });
    const paths = Object.fromEntries(Array.from({ length: 4000 }, (_, at) => [`/${at}`, operation(at)]));
    return textOf(petstore(title, { paths }));
  };
  const titleOf = async () =>
    (await client.get(`${path}/versions/latest/content`)).body.filesystem['openapi.json'].specification.info.title;
  const put = async (title: string) => expect((await client.put(path, large(title))).status).toBe(200);
  await put('0');
  await processed(client, path);
  return {
    begin: (round) => put(`${round}`),
    async check(round) {
      expect([`${round - 1}`, `${round}`]).toContain(await titleOf());
      expect(await processed(client, path)).not.toHaveProperty('lastProcessErrorCode');
      const versions = (await client.get(`${path}/versions`)).body.count;
      expect([await titleOf(), versions]).toEqual([`${round}`, round + 1]);
    },
  };
}

const docs = { 'SUMMARY.md': '* [Home](README.md)\n* [A](a.md)\n', 'README.md': '# Home\n', 'a.md': '# A\n\nOne.\n' };

/** An export goes on by itself, and makes one commit, whether its repository had taken the push (in odd rounds) or not. */
export async function exportJob(client: Client): Promise<Job & { close(): Promise<void> }> {
  const repositories = await openRepositories({ allowPush: true });
  const setting = { client, organization: await newOrganization(client), repositories };
  const nameOf = (round: number) => `exported-${round}`;
  let space: Awaited<ReturnType<typeof syncedSpace>>;
  let held: Awaited<ReturnType<typeof heldAt>>;
  const hookOf = (round: number) => (round % 2 === 1 ? 'post-receive' : 'pre-receive');
  return {
    async begin(round) {
      space = await syncedSpace(setting, nameOf(round), docs);
      const ours = { document: { markdown: '# A\n\nOurs.\n' } };
      await space.write(updated(await space.idOf('A'), ours), inserted('New'));
      held = await heldAt(repositories, nameOf(round), hookOf(round));
      await held.hold(hookOf(round) === 'pre-receive' ? 'exit 1' : 'exit 0');
      const body = { url: space.url, ref: 'refs/heads/main', commitMessage: 'Export' };
      expect((await client.post(`/v1/spaces/${space.space}/git/export`, body)).status).toBe(204);
      await held.waits();
    },
    async check(round) {
      await repositories.hook(nameOf(round), hookOf(round), 'exit 0');
      await held.release();
      const { repository, first, url } = space;
      expect(await operationEnd(client, space.space)).toMatchObject({ state: 'success', direction: 'export' });
      const head = await repository.head();
      expect(await repository.git('rev-parse', 'main~1')).toBe(first);
      expect((await repository.changes(first)).sort()).toEqual(['A new.md', 'M SUMMARY.md', 'M a.md']);
      expect(await exportFrom(client, space.space, { url })).toMatchObject({ state: 'success', commit: head });
      expect(await repository.head()).toBe(head);
      expect((await pagesOf(client, space.space)).map((page) => page.git.path)).toEqual([
        'README.md',
        'a.md',
        'new.md',
      ]);
    },
    close: () => repositories.close(),
  };
}
