import { eachDocument, type HasStore, type Write, write } from '../../../../shared/store/port.js';
import { newId, timestamp } from '../../../../shared/values/ids.js';
import { grantId, grants } from '../../core/access/model.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import { type SpaceDocument, spaces } from '../../core/nodes/model.js';
import { newSpace, parentExistsCheck } from '../../core/spaces/new-space.js';
import { type TranslationSettingsDocument, translationSettings } from '../../core/translations/model.js';

interface Target {
  settings: TranslationSettingsDocument;
  source: SpaceDocument;
  language: string;
}

/** The space that a translation is written into; a new one beside the source, which the same people may read, where there is none yet or no more. */
export async function targetSpace(
  deps: HasStore & HasTrees,
  { settings, source, language }: Target,
): Promise<SpaceDocument> {
  const { store, trees } = deps;
  const known = settings.results?.[language]?.space;
  const found = known === undefined ? null : await store.get(spaces, known);
  if (found && !found.deletedAt) return found;
  const { organization } = settings;
  const { space, writes } = newSpace({
    organization,
    creator: source.creator,
    id: newId(),
    title: `${source.title} (${new Intl.DisplayNames([language], { type: 'language' }).of(language)})`,
    emoji: source.emoji,
    parent: source.parent ?? undefined,
    language,
    defaultLevel: source.defaultLevel,
    translationOf: settings._id,
  });
  const result = { [`results.${language}`]: { space: space._id } };
  await trees.change(organization, space._id, async () => ({
    writes: [
      ...writes,
      ...(await grantsLike(deps, source, space._id)),
      ...parentExistsCheck(source.parent ?? undefined),
      write.check(spaces, { _id: source._id, defaultLevel: source.defaultLevel, deletedAt: null }, 1),
      write.update(translationSettings, { _id: settings._id }, { $set: result }, { expect: 1 }),
    ],
  }));
  return space;
}

/** The grants of a space, on another one. */
async function grantsLike({ store }: HasStore, { _id: node }: SpaceDocument, space: string): Promise<Write[]> {
  const writes: Write[] = [];
  for await (const grant of eachDocument(store, grants, { node })) {
    const copy = { ...grant, node: space, createdAt: timestamp() };
    writes.push(write.insert(grants, { ...copy, _id: grantId(copy) }));
  }
  return writes;
}
