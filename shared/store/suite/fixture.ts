/// <reference types="jest" />
import { randomUUID } from 'node:crypto';
import { type Collection, collection, type Document, type Filter, type Sort, type Store } from '../port.js';
import type { SearchIndex } from '../search-port.js';

export interface Subject {
  readonly store: Store;
  usesIndex(plan: string): boolean;
}

export interface Note extends Document {
  owner: string;
  title?: string | null;
  email?: string | null;
  kind?: string | null;
  /** Unique for an owner among the notes that have one. */
  slug?: string | null;
  rank?: number | string | null;
  due?: string | null;
  done?: boolean | null;
  /** Under no index. */
  size?: number | string | boolean | null;
  labels?: string[] | null;
  /** Under a multikey index. */
  tags?: string[] | null;
  meta?: { level?: number | null; flags?: { hot?: boolean }; counts?: Record<string, number> } | null;
  history?: { by: string; at?: number }[];
}

// A new collection for each run, so that a database that is kept does no harm.
const run = randomUUID().slice(0, 8);

export const notes = collection<Note>(`suite_notes_${run}`, [
  { on: { owner: 1 } },
  { on: { owner: 1, rank: 1 } },
  { on: { owner: 1, kind: 1, rank: 1 } },
  { on: { owner: 1, due: -1, rank: 1 } },
  { on: { owner: 1, 'meta.level': 1 } },
  { on: { owner: 1, slug: 1 }, unique: true, where: 'slug' },
  { kind: 'multikey', array: 'tags', within: ['owner'], sort: { rank: 1 } },
  { kind: 'contains', name: 'text', fields: ['title', 'email'], within: ['owner'] },
]);

export interface Account extends Document {
  email: string;
  logins?: number;
  state?: string;
}

export const accounts = collection<Account>(`suite_accounts_${run}`, [{ on: { email: 1 }, unique: true }]);

export const pages = { name: `suite_pages_${run}` };

/** An index whose scopes are notes, grouped by their owner. */
export const shelves: SearchIndex = {
  name: `suite_shelves_${run}`,
  groups: { collection: stored(notes), field: 'owner' },
};

export const prepared = { collections: [stored(notes), stored(accounts)], searchIndexes: [pages, shelves] };

export function stored<D extends Document>(of: Collection<D>): Collection<never> {
  return of as Collection<never>;
}

let last = 0;

/** An owner that no other test of this run has. */
export function someone(): string {
  last += 1;
  return `owner-${last}`;
}

/** Stores notes `${owner}/${key}` with these fields. */
export async function keep(store: Store, owner: string, fields: Record<string, Omit<Note, '_id' | 'owner'>>) {
  await store.insertMany(
    notes,
    Object.entries(fields).map(([key, rest]) => ({ _id: `${owner}/${key}`, owner, ...rest })),
  );
}

/** The keys of found notes, without their owner. */
export function keysOf(found: Document[]): string[] {
  return found.map((note) => note._id.slice(note._id.indexOf('/') + 1));
}

export async function keysMatching(store: Store, owner: string, filter: Filter<Note>, sort: Sort<Note> = {}) {
  const { items } = await store.page(notes, { filter: { owner, ...filter }, sort, limit: 1000 });
  return keysOf(items);
}

export const refused = { name: 'TypeError' };
