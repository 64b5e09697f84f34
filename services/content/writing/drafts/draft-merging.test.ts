import type { Caller } from '../../../../shared/contract/caller.js';
import { spaces } from '../../core/nodes/model.js';
import { importedSpace } from '../../exchange/imports/testing/imported-space.js';
import type { MergeDraft } from '../contract.js';
import { mergeDraft } from './draft-merging.js';
import { keepDraft } from './drafts.js';

const { organization, space, opened, user, revisionIds, importFiles, pageOf } = importedSpace();

const merge = async (asked: Partial<MergeDraft>, caller: Caller = user) => {
  const { id } = await pageOf('Plan');
  const whole = { space, page: id, revision: revisionIds[2] as string, markdown: '', ...asked };
  return mergeDraft(opened.deps, whole, { caller });
};

const front = '---\nif: visitor.claims.plan == "pro" && space.vars.product == "Bindery"\n---\n';

it('merges what a writer typed with what became of the page, and leaves the rest to choose', async () => {
  const changed = `${front}\n# Plan\n\nWombats and quokkas.\n\nMore.\n`;
  await importFiles({ 'plan.md': changed });
  const revision = revisionIds[3] as string;
  const apart = await merge({ markdown: `${front}\n# The plan\n\nWombats.\n` });
  expect(apart).toEqual({ merged: changed.replace('# Plan', '# The plan'), conflicts: [], revision });
  const both = await merge({ markdown: `${front}\n# Plan\n\nZebras.\n` });
  const [mine, theirs] = ['Zebras.\n', 'Wombats and quokkas.\n\nMore.\n'];
  const at = both.merged.indexOf(mine);
  expect(both).toEqual({
    merged: `${front}\n# Plan\n\nZebras.\n`,
    conflicts: [{ at, base: 'Wombats.\n', mine, theirs }],
    revision,
  });
  expect(await merge({ markdown: changed, revision })).toEqual({ merged: changed, conflicts: [], revision });
});

it('without the content that it began with, leaves all that differs to choose', async () => {
  const { merged, conflicts } = await merge({ markdown: 'Mine.\n', revision: 'gone' });
  expect(merged).toContain('Mine.');
  expect(conflicts).toMatchObject([{ mine: expect.stringContaining('Mine.') }]);
});

it('merges what two windows of a writer typed', async () => {
  const { id: page } = await pageOf('Plan');
  await opened.store.update(spaces, { _id: space }, { $set: { editMode: 'live' } });
  const revision = revisionIds[3] as string;
  const other = `${front}\n# The plan\n\nWombats and quokkas.\n\nMore.\n`;
  const asked = {
    markdown: `${front}\n# Plan\n\nWombats and quokkas.\n\nLess.\n`,
    revision,
    against: 'draft' as const,
  };
  expect(await merge(asked)).toEqual({ merged: asked.markdown, conflicts: [], revision });
  const kept = await keepDraft(opened.deps, { space, page, revision, markdown: other }, { caller: user });
  const merged = `${front}\n# The plan\n\nWombats and quokkas.\n\nLess.\n`;
  const { version } = kept as { version: string };
  expect(await merge(asked)).toEqual({ merged, conflicts: [], revision, version });
});

it('takes nothing back that another window of the writer has not seen', async () => {
  const { id: page } = await pageOf('Plan');
  const [earlier, now] = [revisionIds[2] as string, revisionIds[3] as string];
  const before = `${front}\n# Plan\n\nWombats.\n`;
  const begunEarlier = { space, page, revision: earlier, markdown: before.replace('# Plan', '# His plan') };
  const { conflict: seen } = (await keepDraft(opened.deps, begunEarlier, { caller: user })) as {
    conflict: { version: string };
  };
  await keepDraft(opened.deps, { ...begunEarlier, version: seen.version }, { caller: user });
  const source = `${front}\n# Plan\n\nWombats and quokkas.\n\nMore.\n`;
  const markdown = `${source}\nEnd.\n`;
  const expected = markdown.replace('# Plan', '# His plan');
  const against = 'draft' as const;
  expect(await merge({ markdown, revision: now, against })).toMatchObject({ merged: expected, conflicts: [] });
  const { merged } = await merge({ markdown: before, revision: 'gone', against });
  expect(merged).toContain('Wombats.');
});

it('is for those who may edit the space, and of pages that are there', async () => {
  const memberships = { [organization]: { role: 'read', teams: [], owned: [] } };
  const reader: Caller = { kind: 'user', user: 'bob', token: 't', memberships };
  await expect(merge({}, reader)).rejects.toMatchObject({ type: 'FORBIDDEN' });
  await expect(merge({ page: 'none' })).rejects.toMatchObject({ type: 'NOT_FOUND' });
  await expect(merge({ markdown: 'x'.repeat(2_000_001) })).rejects.toMatchObject({ type: 'INVALID' });
});
