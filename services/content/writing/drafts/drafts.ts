import type { Context } from '../../../../shared/contract/service.js';
import { conflict } from '../../../../shared/errors/errors.js';
import { again } from '../../../../shared/store/again.js';
import { type HasStore, StoreConflict, write } from '../../../../shared/store/port.js';
import { newId, timestamp } from '../../../../shared/values/ids.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import type { Draft, DraftPlace, DraftWithText, KeepDraft, KeptDraft } from '../contract.js';
import { checkOpen, checkText, draftId, openWritingPlace, type WritingPlace } from './draft-places.js';
import { type DraftDocument, type DraftTextDocument, drafts, draftTexts, maxDrafts } from './model.js';

type Dependencies = HasStore & HasTrees;
type Asked = Pick<Context, 'caller'>;

/** The bytes of the texts of one person's drafts in an organization. */
const maxBytes = 50_000_000;
/** Bytes up to which a draft may grow without a look at the others: so many of the most drafts are far less than all may take. */
const maxUnlooked = 100_000;

export async function keepDraft(deps: Dependencies, asked: KeepDraft, { caller }: Asked): Promise<KeptDraft> {
  const { store } = deps;
  const { page, markdown, version, revision, into } = asked;
  checkText(markdown);
  const place = await openWritingPlace(deps, asked, caller);
  const _id = draftId(place, page);
  await checkOpen(deps, place);
  const bytes = Buffer.byteLength(markdown);
  if (bytes > maxUnlooked) await checkRoom(deps, place, { _id, bytes });
  const now = timestamp();
  const changes = omitUndefined({ bytes, revision, into, version: newId(), updatedAt: now });
  const kept: KeptDraft = { version: changes.version, savedAt: now };
  const replaced = version !== undefined && (await replace(deps, { _id, version }, { ...changes, markdown }));
  if (replaced) return kept;
  return again(
    async () => {
      const found = await store.get(draftTexts, _id);
      if (found?.markdown === markdown) return { version: found.version, savedAt: found.updatedAt };
      if (found) return { conflict: presentWithText(found) };
      await checkRoom(deps, place, { _id, bytes });
      const { organization, space, user, changeRequest } = place;
      const owner = { organization, space, user, ...(changeRequest ? { changeRequest: changeRequest.id } : {}) };
      const draft: DraftDocument = { _id, ...owner, page, ...changes };
      await store.batch([write.insert(draftTexts, { ...draft, markdown }), write.insert(drafts, draft)]);
      return kept;
    },
    { duplicates: true },
  );
}

type Version = Pick<DraftDocument, '_id' | 'version'>;

/** Replaces a draft of a version; answers whether it was that one. */
async function replace(
  { store }: HasStore,
  { _id, version }: Version,
  { markdown, ...changes }: Partial<DraftTextDocument>,
): Promise<boolean> {
  try {
    await store.batch([
      write.update(draftTexts, { _id, version }, { $set: { ...changes, markdown } }, { expect: 1 }),
      write.update(drafts, { _id }, { $set: changes }, { expect: 1 }),
    ]);
    return true;
  } catch (error) {
    if (error instanceof StoreConflict) return false;
    throw error;
  }
}

/** Throws 409 where a draft of so many bytes would be more than a person may have. */
async function checkRoom(
  { store }: HasStore,
  { organization, user }: WritingPlace,
  { _id, bytes }: Pick<DraftDocument, '_id' | 'bytes'>,
): Promise<void> {
  const filter = { organization, user };
  const { items } = await store.page(drafts, { filter, sort: {}, limit: maxDrafts + 1, fields: ['bytes'] });
  const others = items.filter((each) => each._id !== _id);
  if (others.length >= maxDrafts)
    throw conflict(`You have ${maxDrafts} drafts here, as many as may be: save or discard some first`, 'limit_reached');
  if (others.reduce((sum, each) => sum + each.bytes, bytes) > maxBytes)
    throw conflict(
      `Your drafts here take ${maxBytes / 1e6} MB, as much as they may: save or discard some first`,
      'quota_exceeded',
    );
}

export async function readDraft(
  deps: Dependencies,
  asked: DraftPlace,
  { caller }: Asked,
): Promise<DraftWithText | null> {
  const place = await openWritingPlace(deps, asked, caller);
  const found = await deps.store.get(draftTexts, draftId(place, asked.page));
  return found && presentWithText(found);
}

export async function dropDraft(
  deps: Dependencies,
  asked: DraftPlace & { version?: string | undefined },
  { caller }: Asked,
): Promise<boolean> {
  const place = await openWritingPlace(deps, asked, caller);
  const _id = draftId(place, asked.page);
  const { version } = asked;
  try {
    await deps.store.batch([
      write.delete(draftTexts, version === undefined ? { _id } : { _id, version }, { expect: 1 }),
      write.delete(drafts, { _id }),
    ]);
    return true;
  } catch (error) {
    if (error instanceof StoreConflict) return false;
    throw error;
  }
}

const presentDraft = ({ page, changeRequest, revision, into, version, updatedAt }: DraftDocument): Draft =>
  omitUndefined({ page, changeRequest, revision, into, version, updatedAt });

const presentWithText = (draft: DraftTextDocument): DraftWithText => ({
  ...presentDraft(draft),
  markdown: draft.markdown,
});
