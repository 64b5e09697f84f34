import { blobOid } from '../../services/content/format/space/blob-oid.js';
import { inserted } from '../support/content-changes.js';
import { exportSetting } from '../support/exports.js';
import { connect, spaceWithRepository } from '../support/git-sync.js';
import type { CommittedFiles } from '../support/repository.js';

const setting = exportSetting();

async function connected(files: CommittedFiles) {
  const made = await spaceWithRepository(setting, files);
  const connection = await connect(made);
  await connection.settled();
  return { made, connection };
}
type Made = Awaited<ReturnType<typeof connected>>['made'];

const guide = (first: string, third = 'Third.') => `# Guide\n\n${first}\n\nSecond.\n\n${third}\n`;
const docs: CommittedFiles = {
  'README.md': '# Welcome\n\nHello.\n',
  'guide.md': guide('First.'),
  'other.md': '# Other\n\n[Guide](guide.md)\n',
};
const pathsOf = async (made: Made) => (await made.pages()).map(({ path }) => path);

describe('a page that becomes a folder', () => {
  it('in Bindery, while its text is changed in Git', async () => {
    const { made, connection } = await connected(docs);
    const id = await made.idOf('Guide');
    await made.write(inserted('Child', { into: id }));
    await made.commit({ 'guide.md': guide('First in Git.') });
    expect((await connection.sync()).state).toBe('connected');
    expect([await made.idOf('Guide'), (await made.source('Guide')).trim()]).toEqual([
      id,
      guide('First in Git.').trim(),
    ]);
    expect(await made.repository.paths()).toContain('guide/child.md');
    expect(await made.repository.file('guide.md')).toBe(guide('First in Git.').trim());
  });

  it.each([
    ['that page', 'Guide', guide('First in Bindery.')],
    ['another page', 'Welcome', '# Welcome\n\nHello from Bindery.\n'],
  ])('in Git, while %s is changed in Bindery: the files stay where Git has them', async (_, title, text) => {
    const { made, connection } = await connected(docs);
    const id = await made.idOf('Guide');
    await made.write(await made.edited(title, text));
    await made.commit({
      'guide.md': null,
      'guide/README.md': guide('First.', 'Third in Git.'),
      'guide/child.md': '# Child\n\nNew.\n',
      'other.md': '# Other\n\n[Guide](guide/README.md)\n',
    });
    expect((await connection.sync()).state).toBe('connected');
    const files = (await made.repository.paths()).filter((path) => path !== 'SUMMARY.md');
    expect(files).toEqual(['README.md', 'guide/README.md', 'guide/child.md', 'other.md']);
    expect([await made.idOf('Guide'), await pathsOf(made)]).toEqual([id, ['readme', 'guide', 'guide/child', 'other']]);
    expect(await made.source('Guide')).toContain('Third in Git.');
    expect((await made.source(title)).trim()).toContain('Bindery.');
    expect(await made.repository.file('other.md')).toContain('(guide/README.md)');
  });

  it('where the folder had pages and no text of its own', async () => {
    const { made, connection } = await connected({ 'README.md': '# Welcome\n', 'a/one.md': '# One\n\n1.\n' });
    await made.commit({ 'a/README.md': '# All of A\n\nText.\n' });
    await made.write(await made.edited('One', '# One\n\nOne in Bindery.\n'));
    expect((await connection.sync()).state).toBe('connected');
    expect(await pathsOf(made)).toEqual(['readme', 'a', 'a/one']);
    expect(await made.source('All of A')).toContain('Text.');
    expect(await made.repository.file('a/one.md')).toContain('One in Bindery.');
  });
});

it('a page of a megabyte is merged line by line', async () => {
  const lines = Array.from({ length: 18_000 }, (_, at) => `Line ${at} of a page that is large, with some more words.`);
  const text = (all: string[]) => `# Large\n\n${all.join('\n\n')}\n`;
  const { made, connection } = await connected({ 'README.md': '# Welcome\n', 'large.md': text(lines) });
  await made.commit({ 'large.md': text(lines.with(100, 'In Git.')) });
  await made.write(await made.edited('Large', text(lines.with(17_000, 'In Bindery.'))));
  expect((await connection.sync()).state).toBe('connected');
  const both = text(lines.with(100, 'In Git.').with(17_000, 'In Bindery.'));
  expect((await made.source('Large')) === both).toBe(true);
  expect(await made.repository.oid('large.md')).toBe(blobOid(both));
});

it('one conflict among many pages holds up none of them', async () => {
  const text = (at: number, word: string) => `# P${at}\n\n${word} ${at}.\n`;
  const pages = (count: number, word: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}.md`, text(at, word)]));
  const { made, connection } = await connected({ 'README.md': '# Welcome\n', ...pages(300, 'Text') });
  await made.commit(pages(150, 'Git'));
  await made.write(await made.edited('P7', text(7, 'Bindery')), await made.edited('P200', text(200, 'Bindery')));
  expect(await connection.sync()).toMatchObject({ state: 'conflict', conflicts: [{ kind: 'page', title: 'P7' }] });
  expect(await Promise.all(['P7', 'P8', 'P200'].map(made.source))).toEqual([
    text(7, 'Bindery'),
    text(8, 'Git'),
    text(200, 'Bindery'),
  ]);
  expect(await Promise.all(['p7.md', 'p200.md'].map((path) => made.repository.file(path)))).toEqual([
    text(7, 'Git').trim(),
    text(200, 'Bindery').trim(),
  ]);
});

it('files with other names, ends of lines and encodings stay byte for byte what they were', async () => {
  const files: CommittedFiles = {
    'README.md': '\ufeff# Welcome\r\n\r\nHello.\r\n',
    'Größe & mehr.md': '# Größe\n\nViel.\n',
    'a b/c d.md': '# Spaces\n\n![x](<../img/x y.png>)\n',
    'img/x y.png': Buffer.from('89504e470d0a1a0a', 'hex'),
    'empty.md': '',
    'notes.txt': 'none',
  };
  const { made, connection } = await connected(files);
  const before = await made.repository.head();
  await made.write(await made.edited('Spaces', '# Spaces\n\nIn Bindery.\n'));
  await made.commit({ 'Größe & mehr.md': '# Größe\n\nIn Git.\n' });
  expect((await connection.sync()).state).toBe('connected');
  expect(await made.repository.changes(before)).toEqual(['M Größe & mehr.md', 'M a b/c d.md']);
  expect(await made.source('Größe')).toContain('In Git.');
});
