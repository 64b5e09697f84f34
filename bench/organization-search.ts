import { setTimeout as pause } from 'node:timers/promises';
import { call, close, compare, get, longestHold } from './large.js';

/**
 * Searching an organization with 1,000 spaces of 10 pages against one with the same pages in one space, over HTTP; and how long the event loop of
 * the server was held meanwhile. On an SQLite file, or with MONGODB_URL on that database.
 */
const spaces = Number(process.env.BENCH_SPACES ?? 1_000);
const pagesOfSpace = 10;
const changesAtOnce = 50;
/** Milliseconds that a search may hold the event loop. */
const mostHeld = 50;

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

/** Makes an organization with these pages, so many in each space; the path of its search. */
async function filled(title: string, each: number): Promise<string> {
  const { id: organization } = await call<{ id: string }>('POST', '/orgs', { title });
  for (let start = 0; start < pages.length; start += each) {
    const body = { title: `Space ${start}`, editMode: 'live' };
    const { id } = await call<{ id: string }>('POST', `/orgs/${organization}/spaces`, body);
    const inserted = pages
      .slice(start, start + each)
      .map((markdown) => ({ operation: 'insert_page', document: { markdown } }));
    for (let at = 0; at < inserted.length; at += changesAtOnce)
      await call('POST', `/spaces/${id}/content`, { changes: inserted.slice(at, at + changesAtOnce) });
  }
  return `/orgs/${organization}/search`;
}

/** Waits until the last pages are found. */
async function indexed(path: string, wanted: number): Promise<void> {
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

try {
  const began = performance.now();
  const [many, one] = [await filled('Many spaces', pagesOfSpace), await filled('One space', pages.length)];
  await indexed(many, spaces);
  await indexed(one, 1);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  process.stdout.write(`${pages.length} pages in ${spaces} spaces, and in one, made in ${seconds} s\n`);
  const results: boolean[] = [];
  await longestHold();
  for (const [name, query] of queries) {
    const found = await call<Found>('GET', `${many}?query=${query}`);
    const shown = found.items.reduce((sum, item) => sum + item.pages.length, 0);
    const path = `?query=${query}`;
    results.push(await compare(name, 3, ['one space', get(one + path)], get(many + path)));
    const held = await longestHold();
    results.push(held < mostHeld);
    const ok = held < mostHeld ? 'ok  ' : 'MISS';
    process.stdout.write(
      `${ok}   ${found.count} spaces, ${shown} pages shown; the event loop held ${held.toFixed(0)} ms at most\n`,
    );
  }
  process.exitCode = results.every(Boolean) ? 0 : 1;
} finally {
  await close();
}
