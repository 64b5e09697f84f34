import { isDeepStrictEqual } from 'node:util';
import type { FileEntry, RedirectEntry, ReusableEntry } from '../../core/revisions/model.js';
import type { Conflicts, Named, Sides } from './conflicts.js';
import type { ThreeViews } from './merge-pages.js';

interface Keyed<T> {
  keyOf(item: T): string;
  named(item: T): Named;
  /** An item that all three have, from what both sides changed in it. */
  merge(item: Sides<T> & { base: T }): T | Promise<T>;
}

/** The items of the primary content with what the change request changed, added and removed; undefined where nothing differs. */
async function mergedItems<T>(
  lists: Record<keyof ThreeViews, readonly T[]>,
  conflicts: Conflicts,
  { keyOf, named, merge }: Keyed<T>,
): Promise<T[] | undefined> {
  if (lists.changeRequest === lists.base) return undefined;
  const byKey = (items: readonly T[]) => new Map(items.map((item) => [keyOf(item), item]));
  const [base, primary, request] = [byKey(lists.base), byKey(lists.primary), byKey(lists.changeRequest)];
  const merged = new Map(primary);
  for (const [key, theirs] of request) {
    const [before, ours] = [base.get(key), primary.get(key)];
    if (before && isDeepStrictEqual(before, theirs)) continue;
    if (ours && before) merged.set(key, await merge({ base: before, primary: ours, changeRequest: theirs }));
    else if (ours)
      merged.set(key, conflicts.value(named(ours), 'content', { base: before, primary: ours, changeRequest: theirs }));
    else if (!before || !conflicts.deletes(named(theirs), 'primary')) merged.set(key, theirs);
  }
  for (const [key, before] of base) {
    const ours = primary.get(key);
    if (request.has(key) || !ours) continue;
    if (isDeepStrictEqual(before, ours) || conflicts.deletes(named(ours), 'change-request')) merged.delete(key);
  }
  const items = [...merged.values()];
  return isDeepStrictEqual(items, lists.primary) ? undefined : items;
}

/** Each field of an item from the side that changed it. */
function mergedFields<T extends object>(
  conflicts: Conflicts,
  named: Named,
  { base, primary, changeRequest }: Sides<T>,
): T {
  const merged: Partial<Record<keyof T, unknown>> = { ...primary };
  for (const name of new Set([...Object.keys(primary), ...Object.keys(changeRequest)]) as Set<keyof T & string>) {
    const sides = { base: base?.[name], primary: primary[name], changeRequest: changeRequest[name] };
    const value = conflicts.value<unknown>(named, name, sides);
    if (value === undefined) delete merged[name];
    else merged[name] = value;
  }
  return merged as T;
}

const fileNamed = ({ id, name }: FileEntry): Named => ({ kind: 'file', id, title: name });

export function mergeFiles(views: ThreeViews, conflicts: Conflicts): Promise<FileEntry[] | undefined> {
  const { base, primary, changeRequest } = views;
  return mergedItems({ base: base.files, primary: primary.files, changeRequest: changeRequest.files }, conflicts, {
    keyOf: ({ id }) => id,
    named: fileNamed,
    merge: (sides) => mergedFields(conflicts, fileNamed(sides.primary), sides),
  });
}

export const reusableNamed = ({ id, title }: ReusableEntry): Named => ({ kind: 'reusable-content', id, title });

/** `mergeText`: the entry with the text that both sides changed. */
export function mergeReusable(
  views: ThreeViews,
  conflicts: Conflicts,
  mergeText: (sides: Sides<ReusableEntry>) => Promise<Partial<ReusableEntry>>,
): Promise<ReusableEntry[] | undefined> {
  const { base, primary, changeRequest } = views;
  const lists = { base: base.reusable, primary: primary.reusable, changeRequest: changeRequest.reusable };
  return mergedItems(lists, conflicts, {
    keyOf: ({ id }) => id,
    named: reusableNamed,
    async merge(sides) {
      const text = await mergeText(sides);
      // The text is merged by its lines, not as a whole.
      const without = ({ document: _, aliases: __, git: ___, ...rest }: ReusableEntry) => rest;
      const own = mergedFields(conflicts, reusableNamed(sides.primary), {
        base: sides.base && without(sides.base),
        primary: without(sides.primary),
        changeRequest: without(sides.changeRequest),
      });
      return { ...sides.primary, ...own, ...text };
    },
  });
}

const redirectNamed = ({ from }: RedirectEntry): Named => ({ kind: 'redirect', id: from, title: from });

export function mergeRedirects(views: ThreeViews, conflicts: Conflicts): Promise<RedirectEntry[] | undefined> {
  const listOf = ({ redirects }: ThreeViews['base']) => [...redirects.values()];
  const { base, primary, changeRequest } = views;
  if (base.redirects === changeRequest.redirects) return Promise.resolve(undefined);
  const lists = { base: listOf(base), primary: listOf(primary), changeRequest: listOf(changeRequest) };
  return mergedItems(lists, conflicts, {
    keyOf: ({ from }) => from,
    named: redirectNamed,
    merge: (sides) => conflicts.value(redirectNamed(sides.primary), 'page', sides),
  });
}

type Variables = Record<string, unknown>;

/** The variables of the space, each from the side that changed it. */
export function mergeVariables(views: ThreeViews, conflicts: Conflicts): Variables {
  const of = ({ revision }: ThreeViews['base']): Variables => revision.variables ?? {};
  const [base, primary, changeRequest] = [of(views.base), of(views.primary), of(views.changeRequest)];
  const merged: Variables = {};
  for (const name of new Set([...Object.keys(primary), ...Object.keys(changeRequest)])) {
    const sides = { base: base[name], primary: primary[name], changeRequest: changeRequest[name] };
    const value = conflicts.value({ kind: 'variable', id: name, title: name }, 'value', sides);
    if (value !== undefined) merged[name] = value;
  }
  return merged;
}
