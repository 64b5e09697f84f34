import { ContentWriter, deleted, inserted, updated } from '../support/content-changes.js';
import { newOrganization, shared } from '../support/fixtures.js';
import {
  type CommittedFiles,
  importedSpace,
  importInto,
  named,
  openRepositories,
  type Repositories,
} from '../support/repository.js';

const client = shared();
let repositories: Repositories;
let repository: string;
let space: string;
let url: string;
let made = 0;
beforeAll(async () => {
  repositories = await openRepositories();
});
afterAll(() => repositories.close());
beforeEach(async () => {
  repository = `former-${made++}`;
  const setting = { client, organization: await newOrganization(client), repositories };
  ({ space, url } = await importedSpace(setting, repository, {
    'SUMMARY.md': '* [Home](README.md)\n* [Guide](guide.md)\n  * [Install](install.md)\n* [Last](last.md)\n',
    'README.md': '# Home\n\n[guide](guide.md)\n',
    'guide.md': '# Guide\n',
    'install.md': '# Install\n',
    'last.md': '# Last\n',
  }));
});

const imported = async (files: CommittedFiles) => {
  await repositories.commit(repository, files);
  const { state, error } = await importInto(client, space, { url });
  expect([state, error]).toEqual(['success', undefined]);
};
const merged = async (...changes: unknown[]) => {
  const writer = await ContentWriter.on(client, space);
  await writer.apply(...changes);
  expect((await client.post(`${writer.path}/merge`)).body.result).toBe('merge');
};
/** The title and the path of the page that a path leads to. */
const found = async (path: string) => {
  const { status, body } = await client.get(`/v1/spaces/${space}/content/path/${encodeURIComponent(path)}`);
  return status === 200 ? [body.title, body.path] : status;
};
const idOf = async (title: string) => (await named(client, space, title)).id;

describe('the former path of a page', () => {
  it('that a writer moved leads to it after imports, until the repository has something else there', async () => {
    await merged(inserted('Other'));
    await merged(updated(await idOf('Guide'), { slug: 'manual' }), updated(await idOf('Last'), { slug: 'end' }));
    await imported({ 'README.md': '# Home\n\nMore.\n' });
    // The repository says where its pages are.
    expect(await found('guide/install')).toEqual(['Install', 'guide/install']);
    expect((await client.get(`/v1/spaces/${space}/content/path/guide/install`)).body.path).toBe('guide/install');
    for (const [path, leads] of [
      ['manual', ['Guide', 'guide']],
      ['Manual/Install', ['Install', 'guide/install']],
      ['end', ['Last', 'last']],
      ['other', 404],
    ] as const)
      expect([path, await found(path)]).toEqual([path, leads]);
    await imported({ '.gitbook.yaml': 'redirects:\n  manual: last.md\n' });
    expect([await found('manual'), await found('manual/install')]).toEqual([
      ['Last', 'last'],
      ['Install', 'guide/install'],
    ]);
    await imported({
      'SUMMARY.md': '* [Home](README.md)\n* [Guide](guide.md)\n* [End](end.md)\n',
      'end.md': '# End\n',
    });
    expect([await found('end'), await found('manual/install'), await found('manual')]).toEqual([
      ['End', 'end'],
      404,
      404,
    ]);
  });

  it('leads to it after the repository moved its file, again and again', async () => {
    const guide = await idOf('Guide');
    await imported({
      'SUMMARY.md': '* [Home](README.md)\n* [Guide](docs/manual.md)\n  * [Install](install.md)\n',
      'guide.md': null,
      'docs/manual.md': '# Guide\n',
    });
    expect(await idOf('Guide')).toBe(guide);
    expect([await found('guide'), await found('guide/install'), await found('last')]).toEqual([
      ['Guide', 'manual'],
      ['Install', 'manual/install'],
      404,
    ]);
    await imported({ 'SUMMARY.md': '* [Home](README.md)\n* [Install](install.md)\n  * [Guide](docs/manual.md)\n' });
    await imported({ 'README.md': '# Home\n\nMore.\n' });
    for (const path of ['guide', 'manual', 'install/manual'])
      expect([path, await found(path)]).toEqual([path, ['Guide', 'install/manual']]);
    for (const path of ['guide/install', 'manual/install', 'install'])
      expect([path, await found(path)]).toEqual([path, ['Install', 'install']]);
  });

  it('is free for two pages that change places', async () => {
    await imported({
      'SUMMARY.md': '* [Home](README.md)\n* [Guide](last/guide.md)\n* [Last](guide/last.md)\n',
      'guide.md': null,
      'last.md': null,
      'last/guide.md': '# Guide\n',
      'guide/last.md': '# Last\n',
    });
    expect([await found('guide'), await found('last')]).toEqual([
      ['Guide', 'guide'],
      ['Last', 'last'],
    ]);
  });

  it('leads to it after a change request that was made before is updated and merged', async () => {
    const writer = await ContentWriter.on(client, space);
    await writer.apply(inserted('Draft'));
    await imported({ '.gitbook.yaml': 'redirects:\n  old: last.md\n' });
    await merged(updated(await idOf('Last'), { slug: 'end' }));
    expect((await client.post(`${writer.path}/update`)).body.result).toBe('update');
    await writer.apply(updated(await idOf('Guide'), { slug: 'manual' }));
    expect((await client.post(`${writer.path}/merge`)).body.result).toBe('merge');
    expect([await found('guide'), await found('last'), await found('old')]).toEqual([
      ['Guide', 'manual'],
      ['Last', 'end'],
      ['Last', 'end'],
    ]);
    await imported({ '.gitbook.yaml': null });
    expect([await found('manual'), await found('end'), await found('old')]).toEqual([
      ['Guide', 'guide'],
      ['Last', 'last'],
      404,
    ]);
  });

  it('leads to it after an earlier revision is restored', async () => {
    const guide = await idOf('Guide');
    const { revision } = (await client.get(`/v1/spaces/${space}`)).body;
    await merged(updated(guide, { slug: 'manual' }));
    await merged(updated(guide, { slug: 'handbook' }), inserted('New'));
    await merged(updated(await idOf('New'), { slug: 'newer' }));
    expect((await client.post(`/v1/spaces/${space}/revisions/${revision}/restore`)).status).toBe(200);
    for (const path of ['guide', 'manual', 'handbook'])
      expect([path, await found(path)]).toEqual([path, ['Guide', 'guide']]);
    expect([await found('manual/install'), await found('new')]).toEqual([['Install', 'guide/install'], 404]);
  });

  it('is forgotten with the page', async () => {
    const guide = await idOf('Guide');
    await merged(updated(guide, { slug: 'manual' }));
    await merged(deleted(guide));
    expect(await found('guide')).toBe(404);
  });
});
