import type { IndexDescription } from 'mongodb';
import type { Collection, Direction, Document, Index } from '../port.js';
import { gramsPath, isContains } from './contains.js';
import type { Facts } from './fields.js';
import { PRESENT } from './filters.js';

type Key = [field: string, direction: Direction];

/** One index as MongoDB builds it, with what the adapter needs to know about it. */
interface Spec {
  name: string;
  key: Key[];
  /** The declared fields, which a StoreDuplicate names. */
  fields: string[];
  unique: boolean;
  where?: string | undefined;
  /** Whether it can serve a sorted list. */
  lists: boolean;
}

const specs = new WeakMap<object, Spec[]>();

function indexSpecs(collection: Collection<Document>): Spec[] {
  const known = specs.get(collection.indexes);
  if (known) return known;
  const made = [...new Map(collection.indexes.flatMap(specsOfIndex).map((spec) => [spec.name, spec])).values()];
  specs.set(collection.indexes, made);
  return made;
}

function specsOfIndex(index: Index<Document>): Spec[] {
  if (isContains<Document>(index))
    return index.fields.map((field) =>
      withName([...ascendingKeys(index.within), [gramsPath(field), 1]], { lists: false }),
    );
  if (index.kind === 'multikey') {
    const key: Key[] = [...ascendingKeys(index.within ?? []), [index.array, 1], ...indexKeys(index.sort ?? {})];
    return [withName(endingInId(key))];
  }
  const { on, unique = false, where } = index;
  return [withName(unique ? indexKeys(on) : endingInId(indexKeys(on)), { unique, where, fields: Object.keys(on) })];
}

const indexKeys = (on: Record<string, Direction | undefined>): Key[] =>
  Object.entries(on).map(([field, direction]) => [field, direction ?? 1]);

const ascendingKeys = (fields: string[]): Key[] => fields.map((field) => [field, 1]);

/** Adds `_id`, which breaks ties in lists, so that the index returns them sorted. */
function endingInId(key: Key[]): Key[] {
  return key.some(([field]) => field === '_id') ? key : [...key, ['_id', key.at(-1)?.[1] ?? 1]];
}

/** A name that differs for two declarations with one key, so that a changed declaration builds a new index. */
function withName(key: Key[], options: Partial<Spec> = {}): Spec {
  const { unique = false, where } = options;
  const parts = key.map(([field, direction]) => `${field}_${direction}`);
  const name = [...parts, ...(unique ? ['unique'] : []), ...(where ? [`where_${where}`] : [])].join('_');
  return { fields: key.map(([field]) => field), lists: true, ...options, name, key, unique };
}

export function indexDescriptions(collection: Collection<Document>): IndexDescription[] {
  return indexSpecs(collection).map(({ name, key, unique, where }) => ({
    name,
    key: Object.fromEntries(key),
    ...(unique && { unique }),
    ...(where && { partialFilterExpression: { [where]: PRESENT } }),
  }));
}

/** The declared fields of the index with this name. */
export function indexFields(collection: Collection<Document>, name: string): string[] | undefined {
  if (name === '_id_') return ['_id'];
  return indexSpecs(collection).find((spec) => spec.name === name)?.fields;
}

interface Cover {
  /** The index that answers the whole filter and returns the matches in order. */
  hint?: string;
  /** No two matches are equal in the fields of the sort, so `_id` is not needed to break ties. */
  total: boolean;
}

/**
 * How the indexes serve a list sorted by `sort`, which ends with `_id`. A hint to the index that answers the whole list saves the
 * planner its trials and prevents a sort in memory; where a condition is left over, the planner decides.
 */
export function chooseCover(collection: Collection<Document>, facts: Facts, sort: Key[]): Cover {
  const order = sort.filter(([field]) => !facts.equal.has(field));
  const usable = indexSpecs(collection).filter(({ lists, where }) => lists && (!where || facts.present.has(where)));
  const cover: Cover = { total: false };
  let max = -1;
  for (const spec of usable) {
    const pinned = countPinned(spec, facts, order);
    if (pinned === undefined) continue;
    if (spec.unique) cover.total = true;
    if (pinned <= max || !holdsAllConditions(spec, facts)) continue;
    max = pinned;
    cover.hint = spec.name;
  }
  return cover;
}

/** Counts the leading fields of the index that the filter pins; undefined unless the order follows them, in either direction. */
function countPinned({ key, unique }: Spec, facts: Facts, sort: Key[]): number | undefined {
  const order = unique ? sort.filter(([field]) => field !== '_id') : sort;
  // A listed field may have several values, each with the same values of the sort.
  const isPinned = (field: string) => facts.equal.has(field) || (!unique && facts.listed.has(field));
  const end = key.findIndex(([field]) => !isPinned(field) || field === order[0]?.[0]);
  const pinned = end < 0 ? key.length : end;
  const rest = key.slice(pinned);
  if (unique ? rest.length !== order.length : rest.length < order.length) return undefined;
  const turned = rest[0]?.[1] !== order[0]?.[1];
  const follows = order.every(
    ([field, direction], at) => rest[at]?.[0] === field && (rest[at]?.[1] === direction) !== turned,
  );
  return follows ? pinned : undefined;
}

function holdsAllConditions({ key, where }: Spec, facts: Facts): boolean {
  const fields = new Set([...key.map(([field]) => field), where]);
  return !facts.more && [...facts.fields].every((field) => fields.has(field));
}
