import { isDeepStrictEqual } from 'node:util';
import type { HasStore } from '../../../../shared/store/port.js';
import { documentId, pageDocuments } from '../../core/revisions/model.js';
import type { PageEntry } from '../../core/revisions/revision-view.js';
import type { SourceConflict } from '../../format/document/edits/merge-sources.js';
import type { HasWork } from '../../format/workers/page-work.js';
import type { Conflicts, Named, Sides } from './conflicts.js';

/** The ids of three documents; without one, the source is empty. */
export interface Documents {
  base: string | undefined;
  primary: string | undefined;
  changeRequest: string | undefined;
}

export interface SourceMerging {
  named: Named;
  documents: Documents;
  /** The pages that have the documents. */
  fields?: Sides<PageEntry>;
}

/** The names that front matter keys have as attributes of pages. */
const attributes: Record<string, keyof PageEntry> = {
  if: 'condition',
  vars: 'variables',
  coverY: 'cover',
  coverDark: 'cover',
};

interface Owning {
  owner: { organization: string; space: string };
  conflicts: Conflicts;
}

/** The source that both sides changed, merged; what they changed differently becomes a conflict, unless a side is chosen. */
export async function mergePageSource(
  { store, work }: HasStore & HasWork,
  { owner: { organization, space }, conflicts }: Owning,
  { named, documents, fields }: SourceMerging,
): Promise<string> {
  const idOf = (document: string | undefined) => documentId(space, document ?? '');
  const ids = [documents.base, documents.primary, documents.changeRequest].map(idOf);
  const found = await store.getMany(pageDocuments, [...new Set(ids)], { fields: ['source'] });
  const sources = new Map(found.map(({ _id, source }) => [_id, source]));
  const [base, ours, theirs] = ids.map((id) => sources.get(id) ?? '') as [string, string, string];
  const chosen = conflicts.choiceOf(named);
  const choose = chosen && (chosen === 'primary' ? 'ours' : 'theirs');
  const merged = await work.merged({ base, ours, theirs, ...(choose ? { choose } : {}) }, organization);
  for (const conflict of merged.conflicts) {
    if (conflict.kind === 'lines') {
      const { line, base: lines, ours: primary, theirs: changeRequest } = conflict;
      conflicts.hunks(named, [{ line, base: lines, primary, changeRequest }]);
    } else conflicts.differs(named, attributeOf(conflict, fields));
  }
  return merged.source;
}

/** The field that a key of the front matter stands for; where that does not differ, the lines as they are written. */
function attributeOf(
  { key, base, ours, theirs }: Extract<SourceConflict, { kind: 'front-matter' }>,
  fields: Sides<PageEntry> | undefined,
): Sides<unknown> & { attribute: string } {
  const attribute = attributes[key] ?? key;
  const name = attribute as keyof PageEntry;
  if (!fields || isDeepStrictEqual(fields.primary[name], fields.changeRequest[name]))
    return { attribute, base, primary: ours, changeRequest: theirs };
  return {
    attribute,
    base: fields.base?.[name],
    primary: fields.primary[name],
    changeRequest: fields.changeRequest[name],
  };
}
