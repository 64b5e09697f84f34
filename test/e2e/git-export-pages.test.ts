import { base64, deleted, files, inserted, updated } from '../support/content-changes.js';
import { exportedSpace, exportSetting, syncedSpace } from '../support/exports.js';
import { newSpace } from '../support/fixtures.js';
import { type CommittedFiles, importInto, pagesOf, type ShownPage } from '../support/repository.js';

const setting = exportSetting();
const { client } = setting;

let made = 0;
const synced = (given: CommittedFiles = docs, options: object = {}) =>
  syncedSpace(setting, `pages-${made++}`, given, options);
const docs: CommittedFiles = {
  'SUMMARY.md': '* [Home](README.md)\n* [Guide](guide.md)\n',
  'README.md': '# Home\n\n[guide](guide.md)\n',
  'guide.md': '# Guide\n',
};
const document = (markdown: string) => ({ document: { markdown } });
const shape = ({ title, type, path, emoji, icon, description, hidden }: ShownPage) => [
  title,
  type,
  path,
  emoji,
  icon,
  description,
  hidden,
];

describe('a page that was made in Bindery', () => {
  it('gets a file named after its path, and an index file where it has pages below', async () => {
    const { exportNow, repository, first, write, idOf } = await synced();
    await write(inserted('Über uns', { into: await idOf('Guide') }), inserted('Part', { ref: 'part' }), {
      ...inserted('日本語'),
      into: './part',
    });
    await exportNow();
    expect((await repository.changes(first)).sort()).toEqual([
      'A guide/uber-uns.md',
      'A part/README.md',
      'A part/ri-ben-yu.md',
      'M SUMMARY.md',
    ]);
  });

  it('links by path to pages, siblings of the same request, files and covers', async () => {
    const { exportNow, importNow, repository, write, idOf, source, pages } = await synced();
    await write(
      inserted('One', {
        into: await idOf('Guide'),
        ref: 'one',
        ...document(
          `---\ncover: ./pic\n---\n\n[g](/pages/${await idOf('Guide')}#x) [t](./two) ![p](./pic) [h](/pages/home)\n`,
        ),
      }),
      inserted('Two', { ref: 'two', ...document('[one](./one)\n') }),
      files({ name: 'a picture (1).png', base64: base64('png'), contentType: 'image/png', ref: 'pic' }),
    );
    await exportNow();
    const asset = '../.gitbook/assets/a%20picture%20%281%29.png';
    const one = await repository.file('guide/one.md');
    expect(one).toContain('[g](../guide.md#x) [t](../two.md)');
    expect(one.replaceAll('%28', '(').replaceAll('%29', ')')).toContain(asset.replace('%28', '(').replace('%29', ')'));
    expect(one).not.toMatch(/\/(?:pages|files)\//);
    expect(await repository.file('two.md')).toContain('[one](guide/one.md)');
    expect(await repository.file('.gitbook/assets/a picture (1).png')).toBe('png');
    const before = (await pages()).map(({ id, cover }) => [id, cover?.ref?.file ?? cover]);
    await importNow({ force: true });
    expect((await pages()).map(({ id, cover }) => [id, cover?.ref?.file ?? cover])).toEqual(before);
    expect(await source('Two')).toContain('[one](guide/one.md)');
  });

  it('never takes the place of a file or a folder that the repository has', async () => {
    const { exportNow, repository, first, write, commit } = await synced({
      ...docs,
      'taken.md': 'mine\n',
      'Upper.MD': 'mine\n',
      script: '#!/bin/sh\n',
      'gone.md': { linkTo: 'missing.md' },
    });
    await write(
      inserted('Taken'),
      inserted('Upper'),
      inserted('Gone'),
      inserted('Script', { ref: 'script' }),
      inserted('Below', { into: './script' }),
    );
    await commit({ other: 'file\n' });
    await exportNow();
    const changes = await repository.changes(first);
    expect(changes.filter((change) => !change.startsWith('A '))).toEqual(['M SUMMARY.md']);
    expect(await repository.modes()).toEqual(
      expect.arrayContaining(['100644 taken.md', '100644 Upper.MD', '100644 script', '120000 gone.md']),
    );
    expect(await repository.file('taken.md')).toBe('mine');
  });

  it('stays in its file when it moves, and its file goes when it is deleted', async () => {
    const { exportNow, repository, first, write, idOf } = await synced();
    await write(inserted('New'));
    await exportNow();
    const before = await repository.head();
    await write(updated(await idOf('New'), { into: await idOf('Guide') }));
    await exportNow();
    expect(await repository.changes(before)).toEqual(['M SUMMARY.md']);
    await write(deleted(await idOf('New')));
    await exportNow();
    expect(await repository.changes(first)).toEqual([]);
  });
});

describe('a space that was made in Bindery', () => {
  it('goes into an empty repository, and comes back into another space', async () => {
    const name = `pages-${made++}`;
    await setting.repositories.makeEmpty(name);
    const { write, exportNow, pages, url, repository, importNow } = await exportedSpace(setting, name);
    expect(await exportNow()).toMatchObject({ state: 'failure', error: expect.stringContaining('nothing to export') });
    await write(
      inserted('Welcome', { ref: 'home', emoji: '1f680', description: 'All: of it' }),
      inserted('Part', { ref: 'part', icon: 'star', hidden: true }),
      inserted('Deep', { into: './part', ref: 'deep', ...document('[home](./home)\n') }),
      inserted('Deeper', { into: './deep' }),
      inserted('C++ & [C#]'),
    );
    const { state, commit } = await exportNow();
    expect([state, commit]).toEqual(['success', await repository.head()]);
    const shown = (await pages()).map(shape);
    const other = await newSpace(client, setting.organization);
    expect(await importInto(client, other, { url })).toMatchObject({ state: 'success' });
    expect((await pagesOf(client, other)).map(shape)).toEqual(shown);
    const ids = (await pages()).map(({ id }) => id);
    await importNow({ force: true });
    expect((await pages()).map(({ id }) => id)).toEqual(ids);
    expect((await pages()).map(shape)).toEqual(shown);
    expect((await exportNow()).commit).toBe(commit);
  });
});

describe('what the repository says of its pages', () => {
  it('stays: modes, symbolic links, line ends, byte order marks and bytes beside the change', async () => {
    const { exportNow, repository, first, write, idOf } = await synced({
      'SUMMARY.md': '* [Home](README.md)\r\n* [Run](run.md)\r\n* [Link](link.md)\r\n* [Raw](raw.md)\r\n',
      'README.md': '\uFEFF---\r\nicon: a\r\n---\r\n\r\n# Home\r\n\r\n[run](run.md)  \r\n',
      'run.md': { executable: '# Run\n\nOne.\n' },
      'real/page.md': '# Link\n\nOne.\n',
      'link.md': { linkTo: 'real/page.md' },
      'raw.md': Buffer.from('# Raw\n\n\xff\xfe\n', 'latin1'),
    });
    await write(
      updated(await idOf('Home'), { icon: 'star' }),
      updated(await idOf('Run'), document('# Run\n\nTwo.\n')),
      updated(await idOf('Link'), document('# Link\n\nTwo.\n')),
      inserted('New', { at: 1 }),
    );
    await exportNow();
    expect((await repository.changes(first)).sort()).toEqual([
      'A new.md',
      'M README.md',
      'M SUMMARY.md',
      'M real/page.md',
      'M run.md',
    ]);
    expect(await repository.modes()).toEqual(expect.arrayContaining(['100755 run.md', '120000 link.md']));
    expect(await repository.file('README.md')).toBe(
      '\uFEFF---\r\nicon: star\r\n---\r\n\r\n# Home\r\n\r\n[run](run.md)'.trim(),
    );
    expect(await repository.file('SUMMARY.md')).toContain('\r\n* [New](new.md)\r\n');
    expect(await repository.oid('raw.md')).toBe(await repository.oid('raw.md', first));
    await write(updated(await idOf('Run'), { slug: 'start' }));
    await exportNow();
    expect(await repository.modes()).toEqual(expect.arrayContaining(['100755 start.md']));
  });

  it('is read in its folder: root, redirects, variables, includes and assets', async () => {
    const given = {
      'docs/.gitbook.yaml': '# Ours\nroot: ./pages/\nredirects:\n  old: "part/one.md"\n',
      'docs/pages/README.md': '# Home\n\n{% include ".gitbook/includes/note.md" %}\n\n[one](part/one.md)\n',
      'docs/pages/SUMMARY.md': '* [Home](README.md)\n* [One](part/one.md)\n',
      'docs/pages/part/one.md':
        '# One\n\n{% include "../.gitbook/includes/note.md" %}\n\n![a](../.gitbook/assets/a.png)\n',
      'docs/pages/.gitbook/vars.yaml': 'name: Acme # ours\n',
      'docs/pages/.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nMind.\n',
      'docs/pages/.gitbook/assets/a.png': 'png',
      'README.md': '# Not this\n',
      'pages/README.md': '# Nor this\n',
    };
    const at = { repoProjectDirectory: 'docs' };
    const { space, exportNow, importNow, repository, first, write, idOf, pages } = await synced(given, at);
    expect(await exportNow(at)).toMatchObject({ state: 'success' });
    expect(await repository.git('diff', first, 'main')).toBe('');
    const id = await idOf('One');
    await write(updated(id, { slug: 'uno' }), inserted('New', { into: id }));
    expect(await exportNow(at)).toMatchObject({ state: 'success' });
    expect((await repository.changes(first)).sort()).toEqual([
      'A docs/pages/part/uno.md',
      'A docs/pages/uno/new.md',
      'D docs/pages/part/one.md',
      'M docs/.gitbook.yaml',
      'M docs/pages/README.md',
      'M docs/pages/SUMMARY.md',
    ]);
    expect(await repository.file('docs/.gitbook.yaml')).toBe(
      '# Ours\nroot: ./pages/\nredirects:\n  old: "part/uno.md"',
    );
    await importNow({ ...at, force: true });
    expect((await pages()).find((page) => page.id === id)).toMatchObject({ path: 'uno' });
    const redirected = await client.get(`/v1/spaces/${space}/content/path/old`);
    expect(redirected.body).toMatchObject({ id });
  });
});
