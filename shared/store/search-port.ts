/** A full-text index. Scopes share neither hits nor statistics, unless they are searched together. */
export interface SearchIndex {
  name: string;
  /**
   * Groups of scopes to be searched together by the hundred: a scope is the id of a document of this collection, and scopes whose documents
   * are equal in this field are a group. Where the field changes, the scope is dropped and its entries are written again.
   */
  groups?: { collection: { name: string }; field: string };
}

/** An entry with its tokens from the tokenizer, in order and with repeats. The only ASCII characters in a token are `[a-z0-9]`. */
export interface SearchEntry {
  id: string;
  title: string[];
  headings: string[];
  body: string[];
}

export interface SearchTerm {
  token: string;
  /** Match every token that starts with it. */
  prefix?: boolean;
}

/** Counts for title, headings and body, in that order. */
export type PerField = readonly [title: number, headings: number, body: number];

export interface SearchQuery {
  /** The scopes that are searched, as if their entries were in one. */
  scopes: readonly string[];
  /** An entry matches when it holds every one of them. */
  terms: readonly SearchTerm[];
  /** The tokens of the query as those of a title, in order and with repeats, joined by single spaces; those of the terms by default. */
  title?: string;
  /** Maximum number of hits returned of each scope; it may be 1,000 at most. */
  each: number;
}

export interface SearchHit {
  id: string;
  score: number;
}

/** The hits in one scope, best first. */
export interface ScopeHits {
  scope: string;
  hits: SearchHit[];
  /** The number of entries that match, also beyond the hits. */
  total: number;
}
