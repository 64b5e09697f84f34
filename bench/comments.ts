import {
  type CommenterDocument,
  type Counts,
  commenters,
  type PlaceDocument,
  places,
  targetPages,
} from '../services/comments/places/model.js';
import { type CommentDocument, comments } from '../services/comments/texts/model.js';
import { encodeCursor } from '../shared/lists/paging.js';
import { type Collection, type Store, write } from '../shared/store/port.js';
import { newId, timestamp } from '../shared/values/ids.js';
import { call, close, compare, get, openDocuments, report } from './large.js';

/** Pages of lists of the comments on a large space against those on a small one. */
const [many, few] = [Number(process.env.BENCH_COMMENTS ?? 200_000), 200];
const limit = 20;

const organization = (await call<{ id: string }>('POST', '/orgs', { title: 'Bench' })).id;
const newSpace = async () =>
  (await call<{ id: string }>('POST', `/orgs/${organization}/spaces`, { title: 'Space' })).id;

interface Spread {
  author: (at: number) => string;
  page: (at: number) => string;
}

/** Every fiftieth comment is by one author, every hundredth on one page; every other is on the page `half`. */
const wide: Spread = {
  author: (at) => `author${at % 50}`,
  page: (at) => (at % 2 === 0 ? 'half' : `page${at % 100}`),
};

/** Of few comments, every filter finds enough for a page of the list too. */
const narrow: Spread = {
  author: (at) => `author${7 + (at % 3)}`,
  page: (at) => (at % 2 === 0 ? 'half' : 'page7'),
};

function newComment(space: string, at: number, spread: Spread): CommentDocument {
  const page = spread.page(at);
  const isResolved = at % 7 < 2;
  return {
    _id: newId(),
    organization,
    space,
    place: space,
    author: spread.author(at),
    postedAt: timestamp(new Date(Date.UTC(2026, 0) + at * 1000)),
    body: { markdown: `Comment ${at}: the second step is missing.` },
    mentions: [],
    bytes: 60,
    status: isResolved ? 'resolved' : 'open',
    ...(isResolved ? { resolvedAt: timestamp(), resolvedBy: 'author1' } : {}),
    replies: 0,
    revision: 'none',
    page,
    seen: { page: { id: page, title: page, path: page } },
  };
}

type Tally = Map<string, Required<Counts>>;

function tallied(tally: Tally, key: string): Required<Counts> {
  const counts = tally.get(key) ?? { open: 0, resolved: 0 };
  tally.set(key, counts);
  return counts;
}

/** A space with so many comments, and a cursor that leads into their middle. */
async function filled(store: Store, count: number, spread: Spread): Promise<{ space: string; middle: string }> {
  const space = await newSpace();
  let middle: CommentDocument | undefined;
  const [total, byAuthor, byPage]: [Required<Counts>, Tally, Tally] = [{ open: 0, resolved: 0 }, new Map(), new Map()];
  for (let start = 0; start < count; start += 2000) {
    const part = Array.from({ length: Math.min(2000, count - start) }, (_, at) =>
      newComment(space, start + at, spread),
    );
    await store.insertMany(comments, part);
    for (const { status, author, page = '' } of part)
      for (const counts of [total, tallied(byAuthor, author), tallied(byPage, page)]) counts[status] += 1;
    middle ??= part[count / 2 - start];
  }
  const place: PlaceDocument = { _id: space, space, ...total, bytes: 60 * count };
  const wrote = [...byAuthor].map(([user, counts]): CommenterDocument => {
    const about = { organization, space, place: space, user, lastAt: timestamp() };
    return { _id: `${space}:${user}`, ...about, ...counts, texts: counts.open + counts.resolved };
  });
  const on = [...byPage].map(([page, counts]) => ({ _id: `${space}:${page}`, space, ...counts }));
  await store.batch([
    write.insert(places, place),
    write.insertMany(commenters, wrote),
    write.insertMany(targetPages, on),
  ]);
  return { space, middle: encodeCursor([middle?.postedAt ?? '', middle?._id ?? '']) };
}

const store = await openDocuments();
await store.prepare([comments, places, commenters, targetPages] as unknown as Collection<never>[]);
const [large, small] = [await filled(store, many, wide), await filled(store, few, narrow)];
await store.close();

const list = (space: string, query: string) => get(`/spaces/${space}/comments?limit=${limit}&${query}`);
const results: boolean[] = [];
for (const filter of [
  '',
  'status=open',
  'status=resolved',
  'authors=author7',
  'authors=author7&authors=author8&authors=author9',
  'authors=author7&status=open',
  'targetPage=page7',
  'targetPage=page7&status=open',
  'targetPage=page7&authors=author7',
  'targetPage=page7&authors=author7&status=open',
])
  for (const order of ['desc', 'asc'])
    for (const [where, ofLarge, ofSmall] of [
      ['first', '', ''],
      ['middle', `&page=${large.middle}`, `&page=${small.middle}`],
    ]) {
      const query = `order=${order}&${filter}`;
      const name = `${filter || 'all'}, ${order}, ${where}`;
      const floor: [string, ReturnType<typeof get>] = [`${few}`, list(small.space, query + ofSmall)];
      results.push(await compare(name, 1.5, floor, list(large.space, query + ofLarge)));
    }
// The only totals without counters: those by author and page together.
await report(
  `count of ${many / 50} in the index`,
  get(`/spaces/${large.space}/comments?limit=0&targetPage=half&authors=author8`),
);
await close();
process.exitCode = results.every(Boolean) ? 0 : 1;
