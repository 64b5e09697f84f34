import { deleted, inserted, updated } from '../support/content-changes.js';
import { exportSetting, syncedSpace } from '../support/exports.js';
import { newSpace } from '../support/fixtures.js';
import { type CommittedFiles, importInto, named, pagesOf } from '../support/repository.js';

const setting = exportSetting();
const { client } = setting;

let made = 0;
const synced = (files: CommittedFiles = docs, options: object = {}) =>
  syncedSpace(setting, `docs-${made++}`, files, options);

const summary = [
  '# Table of contents',
  '',
  '* [Welcome](README.md)',
  '* [Guide](guide/README.md)',
  '  * [Install it](guide/install.md)',
  '  * [Use it](guide/use.md)',
  '* [Elsewhere](https://example.com/)',
  '',
  '## Reference',
  '',
  '* [Secrets](reference/secrets.md)',
  '',
].join('\n');

const docs: CommittedFiles = {
  '.gitbook.yaml': 'root: ./\n\nredirects:\n  old/path: guide/install.md\n',
  'README.md': '# Welcome\n\nSee [the guide](guide/README.md) and ![logo](.gitbook/assets/logo.png).\n',
  'SUMMARY.md': summary,
  'guide/README.md': '# Guide\n\nHow things are done. [Install](install.md#from-source)\n',
  'guide/install.md':
    '---\nicon: download\n# A remark.\nhidden: true\n---\n\n# Installation\n\n## From source\n\nTwice.\n',
  'guide/use.md': '# Use it\n\n[up](../README.md)\n',
  'reference/secrets.md': '# Secrets\n\nNothing.\n',
  '.gitbook/assets/logo.png': Buffer.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 255]),
  '.gitbook/includes/note.md': '---\ntitle: A note\n---\n\nKeep this in mind.\n',
  'src/main.ts': 'export {};\n',
  Makefile: 'all:\n',
};

describe('an export of what was imported', () => {
  it('changes nothing: no commit to its branch, and a new branch with the same commit', async () => {
    const { exportNow, repository, first, revision } = await synced();
    const before = await revision();
    expect(await exportNow()).toMatchObject({ direction: 'export', state: 'success', commit: first });
    expect(await exportNow({ ref: 'refs/heads/next/one' })).toMatchObject({ state: 'success', commit: first });
    expect([await repository.head(), await repository.head('next/one')]).toEqual([first, first]);
    expect((await revision()).id).toBe(before.id);
  });

  it('keeps line ends, modes, links, byte order marks, odd names and bytes that are no text', async () => {
    const odd: CommittedFiles = {
      'SUMMARY.md':
        '\uFEFF# Summary\r\n\r\n- [Home](README.md)\r\n    - [Run](<run me.md>)\r\n- [頁](文書/頁.md)\r\n- [In](docs/in.md)\r\n- [Other](other/Readme.MD)\r\n',
      'README.md': '\uFEFF---\r\ndescription: Here\r\n---\r\n\r\n# Home\r\n\r\n[run](<run me.md>)\r\n',
      'run me.md': { executable: '#  Run  #\n\n\n*  a\n*  b' },
      '文書/頁.md': Buffer.from([0x23, 0x20, 0x41, 0x0a, 0x0a, 0xff, 0xfe, 0x80, 0x0a]),
      'docs/in.md': '# In\n\n{% include "parts/a.md" %}\n\n{% include "/run%20me.md" %}\n\n[f](../other/)\n',
      'docs/parts/a.md': 'Included.\n',
      'other/Readme.MD': '# Other\n',
      'link.md': { linkTo: 'run me.md' },
      'nowhere.md': { linkTo: 'missing.md' },
      '.gitbook/assets/文 書 (1)@2x': 'a file',
      '-dash.md': '# Dash\n',
      'quo"te\\back.md': '# Quote\n',
    };
    const { exportNow, repository, first } = await synced(odd);
    expect(await exportNow({ ref: 'refs/heads/same' })).toMatchObject({ state: 'success', commit: first });
    expect(await exportNow()).toMatchObject({ state: 'success', commit: first });
    expect(await repository.messages('same')).toHaveLength(1);
  });

  it('is one commit with one file when one page was edited', async () => {
    const { exportNow, repository, first, write, idOf, revision } = await synced();
    await write(updated(await idOf('Secrets'), { document: { markdown: '# Secrets\n\nMore.\n' } }));
    const before = await revision();
    const { state, commit, revision: at } = await exportNow({ commitMessage: 'More of the secrets' });
    expect([state, await repository.head()]).toEqual(['success', commit]);
    expect(await repository.changes(first)).toEqual(['M reference/secrets.md']);
    expect(await repository.lines('reference/secrets.md', { from: first })).toEqual(['-Nothing.', '+More.']);
    expect(await repository.git('log', '-1', '--format=%P|%an <%ae>|%cn|%B')).toBe(
      `${first}|Bindery <bindery@localhost>|Bindery|More of the secrets`,
    );
    const after = await revision();
    expect(after).toMatchObject({
      id: at,
      parents: [before.id],
      git: { oid: commit, message: 'More of the secrets', ref: 'refs/heads/main', createdByService: true },
    });
  });

  it('is followed by an import that changes nothing', async () => {
    const { exportNow, importNow, write, idOf, revision, pages } = await synced();
    await write(
      updated(await idOf('Secrets'), { document: { markdown: '# Secrets\n\nMore.\n' } }),
      inserted('New', { into: await idOf('Guide') }),
    );
    await exportNow();
    const before = await revision();
    expect(await importNow()).toMatchObject({ state: 'success', revision: before.id });
    const shown = await pages();
    expect(await importNow({ force: true })).toMatchObject({ state: 'success' });
    expect(await pages()).toEqual(shown);
  });
});

describe('an edit', () => {
  it('of metadata changes the lines of front matter alone', async () => {
    const { exportNow, repository, first, write, idOf } = await synced();
    await write(updated(await idOf('Install it'), { description: 'From source: twice', icon: 'star', hidden: false }));
    await exportNow();
    expect(await repository.changes(first)).toEqual(['M guide/install.md']);
    expect((await repository.lines('guide/install.md', { from: first })).sort()).toEqual(
      ['-icon: download', '+icon: star', '-hidden: true', '+description: "From source: twice"'].sort(),
    );
    expect(await repository.file('guide/install.md')).toContain('\n# A remark.\n');
  });

  it('that inserts a page makes its file and one line of the summary', async () => {
    const { exportNow, repository, first, write, idOf } = await synced();
    await write(inserted('Clean up', { into: await idOf('Guide'), at: 1 }));
    await exportNow();
    expect(await repository.changes(first)).toEqual(['M SUMMARY.md', 'A guide/clean-up.md']);
    expect(await repository.lines('SUMMARY.md', { from: first })).toEqual(['+  * [Clean up](guide/clean-up.md)']);
    expect(await repository.file('guide/clean-up.md')).toContain('About Clean up.');
  });

  it('that moves a page moves its line, and not its file', async () => {
    const { exportNow, repository, first, write, idOf } = await synced();
    await write(updated(await idOf('Use it'), { into: await idOf('Guide'), at: 0 }));
    await exportNow();
    expect(await repository.changes(first)).toEqual(['M SUMMARY.md']);
    expect((await repository.lines('SUMMARY.md', { from: first })).length).toBe(2);
    expect((await repository.file('SUMMARY.md')).split('\n').slice(3, 6)).toEqual([
      '* [Guide](guide/README.md)',
      '  * [Use it](guide/use.md)',
      '  * [Install it](guide/install.md)',
    ]);
  });

  it('that moves a page to another level moves its line alone', async () => {
    const { exportNow, repository, first, write, idOf } = await synced();
    await write(updated(await idOf('Use it'), { into: null, at: 0 }));
    await exportNow();
    expect(await repository.changes(first)).toEqual(['M SUMMARY.md']);
    expect(await repository.file('SUMMARY.md')).toBe(
      summary
        .replace('  * [Use it](guide/use.md)\n', '')
        .replace('* [Welc', '* [Use it](guide/use.md)\n* [Welc')
        .trim(),
    );
  });

  it('that deletes a page removes its file and its line; a file that something links to stays', async () => {
    const { exportNow, repository, first, write, idOf } = await synced();
    await write(deleted(await idOf('Secrets')));
    await exportNow();
    expect(await repository.changes(first)).toEqual(['M SUMMARY.md', 'D reference/secrets.md']);
    expect(await repository.lines('SUMMARY.md', { from: first })).toContain('-* [Secrets](reference/secrets.md)');
    expect(await repository.file('SUMMARY.md')).toBe(summary.replace('* [Secrets](reference/secrets.md)\n', '').trim());
    expect(await repository.paths()).toContain('.gitbook/assets/logo.png');
  });

  it('of a title changes the heading and the line', async () => {
    const { exportNow, repository, first, write, idOf, importNow } = await synced();
    const id = await idOf('Guide');
    await write(updated(id, { title: 'Handbook' }));
    await exportNow();
    expect(await repository.changes(first)).toEqual(['M SUMMARY.md', 'M guide/README.md']);
    expect(await repository.lines('SUMMARY.md', { from: first })).toEqual([
      '-* [Guide](guide/README.md)',
      '+* [Handbook](guide/README.md)',
    ]);
    expect(await repository.lines('guide/README.md', { from: first })).toEqual([
      '-# Guide',
      '+---',
      '+title: Handbook',
      '+---',
      '+',
      '+# Handbook',
    ]);
    await importNow({ force: true });
    expect(await idOf('Handbook')).toBe(id);
  });

  it('of a slug renames the file, and links and redirects to it follow', async () => {
    const { exportNow, repository, first, write, idOf, importNow, pages } = await synced();
    const id = await idOf('Install it');
    await write(updated(id, { slug: 'set-up' }));
    await exportNow();
    expect(await repository.changes(first)).toEqual([
      'M .gitbook.yaml',
      'M SUMMARY.md',
      'M guide/README.md',
      'D guide/install.md',
      'A guide/set-up.md',
    ]);
    expect(await repository.oid('guide/set-up.md')).toBe(await repository.oid('guide/install.md', first));
    expect(await repository.lines('.gitbook.yaml', { from: first })).toEqual([
      '-  old/path: guide/install.md',
      '+  old/path: guide/set-up.md',
    ]);
    expect(await repository.lines('guide/README.md', { from: first })).toEqual([
      '-How things are done. [Install](install.md#from-source)',
      '+How things are done. [Install](set-up.md#from-source)',
    ]);
    await importNow({ force: true });
    expect((await pages()).find((page) => page.id === id)).toMatchObject({ path: 'guide/set-up' });
  });

  it('that comes back makes the next export bring the old files back, and a second export nothing', async () => {
    const { exportNow, repository, first, write, idOf } = await synced();
    const id = await idOf('Secrets');
    await write(updated(id, { document: { markdown: '# Secrets\n\nMore.\n' } }));
    await exportNow();
    await write(updated(id, { document: { markdown: '# Secrets\n\nNothing.\n' } }));
    const { commit } = await exportNow();
    expect(await repository.changes(first)).toEqual([]);
    expect((await exportNow()).commit).toBe(commit);
    expect(await repository.messages()).toHaveLength(3);
  });
});

describe('an import after an export', () => {
  it('into another space has the same pages', async () => {
    const { exportNow, write, idOf, url, pages } = await synced();
    await write(
      inserted('First', { at: 0, emoji: '1f600', description: 'The first' }),
      inserted('Deep', { into: await idOf('Secrets'), hidden: true }),
      updated(await idOf('Guide'), { slug: 'manual' }),
    );
    await exportNow();
    const other = await newSpace(client, setting.organization);
    expect(await importInto(client, other, { url })).toMatchObject({ state: 'success' });
    const shape = ({ title, path, type, emoji, description, hidden }: any) => [
      title,
      path,
      type,
      emoji,
      description,
      hidden,
    ];
    expect((await pagesOf(client, other)).map(shape)).toEqual((await pages()).map(shape));
    expect(await named(client, other, 'Deep')).toMatchObject({ hidden: true });
  });
});
