import type { ContentDependencies } from '../dependencies.js';
import { documentId, pageDocuments } from '../revisions/model.js';
import type { Conflicts, Named } from './conflicts.js';

/** The ids of three documents; without one, the source is empty. */
export interface Documents {
  base: string | undefined;
  primary: string | undefined;
  changeRequest: string | undefined;
}

/** The names that front matter keys have as attributes of pages. */
const attributes: Record<string, string> = { if: 'condition', vars: 'variables', coverY: 'cover', coverDark: 'cover' };

export interface SourceMerging {
  owner: { organization: string; space: string };
  conflicts: Conflicts;
}

/** The source that both sides changed, merged; what they changed differently becomes a conflict, unless a side is chosen. */
export async function mergedSource(
  { store, work }: Pick<ContentDependencies, 'store' | 'work'>,
  { owner: { organization, space }, conflicts }: SourceMerging,
  { named, documents }: { named: Named; documents: Documents },
): Promise<string> {
  const idOf = (document: string | undefined) => documentId(space, document ?? '');
  const ids = [documents.base, documents.primary, documents.changeRequest].map(idOf);
  const found = await store.getMany(pageDocuments, [...new Set(ids)], { fields: ['source'] });
  const sources = new Map(found.map(({ _id, source }) => [_id, source]));
  const [base, ours, theirs] = ids.map((id) => sources.get(id) ?? '') as [string, string, string];
  const chosen = conflicts.chosen(named);
  const choose = chosen && (chosen === 'primary' ? 'ours' : 'theirs');
  const merged = await work.merged({ base, ours, theirs, ...(choose ? { choose } : {}) }, organization);
  for (const conflict of merged.conflicts) {
    if (conflict.kind === 'lines') {
      const { line, base: lines, ours: primary, theirs: changeRequest } = conflict;
      conflicts.hunks(named, [{ line, base: lines, primary, changeRequest }]);
    } else {
      const { key, base: before, ours: primary, theirs: changeRequest } = conflict;
      conflicts.value(named, attributes[key] ?? key, { base: before, primary, changeRequest });
    }
  }
  return merged.source;
}
