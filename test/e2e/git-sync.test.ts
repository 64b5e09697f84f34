import { exportSetting } from '../support/exports.js';
import { connect, spaceWithRepository } from '../support/git-sync.js';
import type { CommittedFiles } from '../support/repository.js';

const setting = exportSetting();
const { client } = setting;

const docs: CommittedFiles = {
  'README.md': '# Welcome\n\nHello.\n',
  'SUMMARY.md': '# Table of contents\n\n* [Welcome](README.md)\n* [Guide](guide.md)\n* [Other](other.md)\n',
  'guide.md': '# Guide\n\nFirst.\n\nSecond.\n\nThird.\n',
  'other.md': '# Other\n\nOne.\n',
};

it('an empty space takes what the branch has, edits go back, and pushes come in', async () => {
  const made = await spaceWithRepository(setting, docs);
  const connection = await connect(made);
  expect(connection.first).toMatchObject({ state: 'pending', status: 'pending', direction: 'both' });
  await connection.settled();
  expect((await made.pages()).map(({ title }) => title)).toEqual(['Welcome', 'Guide', 'Other']);

  await made.write(await made.edited('Guide', '# Guide\n\nFirst in Bindery.\n\nSecond.\n\nThird.\n'));
  await connection.sync();
  expect(await made.repository.file('guide.md')).toBe('# Guide\n\nFirst in Bindery.\n\nSecond.\n\nThird.');

  await made.commit({ 'other.md': '# Other\n\nOne in Git.\n' });
  await connection.sync();
  expect(await made.source('Other')).toContain('One in Git.');
});

it('both sides write: what does not conflict is merged, also within a page', async () => {
  const made = await spaceWithRepository(setting, docs);
  const connection = await connect(made);
  await connection.settled();
  await made.commit({ 'guide.md': '# Guide\n\nFirst.\n\nSecond.\n\nThird in Git.\n', 'new.md': '# New\n\nN.\n' });
  await made.write(await made.edited('Guide', '# Guide\n\nFirst in Bindery.\n\nSecond.\n\nThird.\n'));
  await connection.sync();
  const merged = '# Guide\n\nFirst in Bindery.\n\nSecond.\n\nThird in Git.';
  expect((await made.source('Guide')).trim()).toBe(merged);
  expect(await made.repository.file('guide.md')).toBe(merged);
});

it('a page whose file is moved and changed in one push keeps its id, its comments and what was written meanwhile', async () => {
  const { 'SUMMARY.md': _, ...folders } = docs;
  const made = await spaceWithRepository(setting, folders);
  const connection = await connect(made);
  await connection.settled();
  const id = await made.idOf('Guide');
  const comments = `/v1/spaces/${made.space}/comments`;
  await client.post(comments, { body: { markdown: 'Well said.' }, page: id });
  await made.commit({
    'guide.md': null,
    'deep/guide.md': '# Guide\n\nFirst.\n\nSecond.\n\nThird in Git.\n',
  });
  await made.write(await made.edited('Guide', '# Guide\n\nFirst in Bindery.\n\nSecond.\n\nThird.\n'));
  expect(await connection.sync()).toMatchObject({ state: 'connected' });
  expect(await made.repository.file('deep/guide.md')).toBe('# Guide\n\nFirst in Bindery.\n\nSecond.\n\nThird in Git.');
  expect(await made.repository.paths()).not.toContain('guide.md');
  expect(await made.idOf('Guide')).toBe(id);
  expect((await client.get(comments)).body.items).toMatchObject([{ target: { page: { id, outdated: false } } }]);
});

it('one page in conflict: all others go on, both texts are there, and a merge of the change request settles it', async () => {
  const made = await spaceWithRepository(setting, docs);
  const connection = await connect(made);
  await connection.settled();
  const theirs = '# Guide\n\nFirst.\n\nSecond in Git.\n\nThird.\n';
  const ours = '# Guide\n\nFirst.\n\nSecond in Bindery.\n\nThird.\n';
  await made.commit({ 'guide.md': theirs, 'README.md': '# Welcome\n\nHello from Git.\n' });
  await made.write(await made.edited('Guide', ours), await made.edited('Other', '# Other\n\nTwo.\n'));
  const conflicted = await connection.sync();
  expect(conflicted).toMatchObject({ state: 'conflict', conflicts: [{ kind: 'page', title: 'Guide' }] });
  expect([await made.source('Guide'), await made.repository.file('guide.md')].map((text) => text.trim())).toEqual([
    ours.trim(),
    theirs.trim(),
  ]);
  expect(await made.source('Welcome')).toContain('Hello from Git.');
  expect(await made.repository.file('other.md')).toBe('# Other\n\nTwo.');

  const request = `/v1/spaces/${made.space}/change-requests/${conflicted.changeRequest}`;
  expect((await client.post(`${request}/merge`)).body).toMatchObject({ result: 'merge' });
  await connection.settled();
  expect((await made.source('Guide')).trim()).toBe(theirs.trim());
  expect(await made.repository.file('guide.md')).toBe(theirs.trim());
});
