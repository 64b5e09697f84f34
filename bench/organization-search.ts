import { setTimeout as pause } from 'node:timers/promises';
import { pageSearch } from '../services/content/core/revisions/model.js';
import type { Store } from '../shared/store/port.js';
import { longestTurnMs } from '../shared/testing/processor-time.js';
import { queryTerms } from '../shared/text/tokens.js';
import { call, close, compare, get, openDocuments } from './large.js';

/**
 * Searching an organization with 1,000 spaces of 10 pages against one with the same pages in one space, over HTTP; and the longest turn of the event
 * loop that the search itself takes, in processor time: on a busy machine every turn is long by the clock. On an SQLite file, or with
 * MONGODB_URL on that database.
 */
const spaces = Number(process.env.BENCH_SPACES ?? 1_000);
const pagesOfSpace = 10;
const changesAtOnce = 50;
/** Milliseconds that a turn may take. */
const longestAllowed = 50;

interface Found {
  count: number;
  items: { pages: unknown[] }[];
}

/** A fixed sequence of words, of which few are in many pages. */
let state = 7;
function word(): string {
  state = (state * 1103515245 + 12345) % 2147483648;
  return `w${Math.floor(8_000 ** (state / 2147483648)).toString(36)}x`;
}

const text = (words: number) => Array.from({ length: words }, word).join(' ');

const page = (at: number): string =>
  `# Page ${at}\n\n${text(60)} common ${text(20)}\n\n## Details of ${at % 97}\n\n${text(80)} shared${
    at % 1_000 === 7 ? ' quokka' : ''
  }\n`;

const pages = Array.from({ length: spaces * pagesOfSpace }, (_, at) => page(at));

interface Filled {
  /** Of the search. */
  path: string;
  spaces: string[];
}

/** Makes an organization with these pages, so many in each space. */
async function filled(title: string, each: number): Promise<Filled> {
  const { id: organization } = await call<{ id: string }>('POST', '/orgs', { title });
  const ids: string[] = [];
  for (let start = 0; start < pages.length; start += each) {
    const body = { title: `Space ${start}`, editMode: 'live' };
    const { id } = await call<{ id: string }>('POST', `/orgs/${organization}/spaces`, body);
    ids.push(id);
    const inserted = pages
      .slice(start, start + each)
      .map((markdown) => ({ operation: 'insert_page', document: { markdown } }));
    for (let at = 0; at < inserted.length; at += changesAtOnce)
      await call('POST', `/spaces/${id}/content`, { changes: inserted.slice(at, at + changesAtOnce) });
  }
  return { path: `/orgs/${organization}/search`, spaces: ids };
}

/** Waits until the last pages are found. */
async function indexed({ path, spaces: { length: wanted } }: Filled): Promise<void> {
  while ((await call<Found>('GET', `${path}?query=common&limit=0`)).count < wanted) await pause(100);
  while ((await call<Found>('GET', `${path}?query=page+${pages.length - 1}&limit=1`)).count < 1) await pause(100);
}

const queries = [
  ['a rare word', 'quokka'],
  ['a word of every page', 'common'],
  ['a start of words', 'comm'],
  ['a short start', 'w'],
  ['two words', 'common+shared'],
  ['a rare and a common word', 'quokka+common'],
  ['no match', 'nowhere'],
] as const;

/** The longest turn of searches that run alone in this process. */
async function longestTurn(store: Store, { spaces: scopes }: Filled, query: string): Promise<number> {
  const terms = queryTerms(query.replaceAll('+', ' '));
  return longestTurnMs(async () => {
    for (let round = 0; round < 10; round++) await store.search(pageSearch, { scopes, terms, each: 10 });
  });
}

async function measure(store: Store): Promise<boolean[]> {
  const began = performance.now();
  const [many, one] = [await filled('Many spaces', pagesOfSpace), await filled('One space', pages.length)];
  for (const each of [many, one]) await indexed(each);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  process.stdout.write(`${pages.length} pages in ${spaces} spaces, and in one, made in ${seconds} s\n`);
  const results: boolean[] = [];
  for (const [name, query] of queries) {
    const [ofMany, ofOne] = [many, one].map(({ path }) => `${path}?query=${query}`) as [string, string];
    results.push(await compare(name, 3, ['one space', get(ofOne)], get(ofMany)));
    const { count, items } = await call<Found>('GET', ofMany);
    const shown = items.reduce((sum, item) => sum + item.pages.length, 0);
    const turns = [await longestTurn(store, many, query), await longestTurn(store, one, query)];
    const ok = Math.max(...turns) < longestAllowed;
    results.push(ok);
    const [inMany, inOne] = turns.map((ms) => ms.toFixed(0));
    const line = `${count} spaces, ${shown} pages shown; turns of at most ${inMany} ms, ${inOne} ms in one space`;
    process.stdout.write(`${ok ? 'ok  ' : 'MISS'}   ${line} (goal below ${longestAllowed})\n`);
  }
  return results;
}

const store = await openDocuments();
try {
  process.exitCode = (await measure(store)).every(Boolean) ? 0 : 1;
} finally {
  await store.close();
  await close();
}
