import { deleted, files, inserted, updated } from './content-changes.js';
import type { ShownPage } from './repository.js';

/** Numbers from 0 up to 1, the same for the same seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const titles = [
  'Alpha',
  'Über uns',
  '日本語',
  'C++ & C#',
  'Read [me] *now*',
  'a_b_c',
  'README',
  '1. First',
  'x / y',
  'Go 🚀 now',
];
const slugs = ['alpha', 'beta', 'gamma', 'readme', 'x.y', 'a-1', ''];
const metadata = [
  { emoji: '1f680' },
  { icon: 'star' },
  { emoji: '', icon: '' },
  { description: 'Says: "all" #1' },
  { description: '' },
  { hidden: true },
  { hidden: false, noIndex: true },
  { noRobotsIndex: true },
  { condition: 'visitor.claims.beta' },
  { condition: '' },
];

/** One random change to pages as they are. */
export function randomChange(pages: ShownPage[], next: () => number, count: number): unknown {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const documents = pages.filter(({ type }) => type === 'document');
  const placed = () => ({
    ...(documents.length > 0 && next() < 0.6 ? { into: pick(documents).id } : {}),
    ...(next() < 0.5 ? { at: 0 } : {}),
  });
  const text = () => {
    const to = documents.length > 0 ? ` See [it](/pages/${pick(documents).id}).` : '';
    return { document: { markdown: `Text ${count}.${to}\n\n* a\n* b\n` } };
  };
  const insert = () => inserted(pick(titles), { ...text(), ...placed(), ...(next() < 0.5 ? pick(metadata) : {}) });
  if (documents.length < 3) return insert();
  const { id } = pick(documents);
  const kinds = [
    insert,
    insert,
    () => updated(id, text()),
    () => updated(id, pick(metadata)),
    () => updated(id, { into: next() < 0.3 ? null : pick(documents).id, at: 0 }),
    () => updated(id, { title: pick(titles) }),
    () => updated(id, { slug: pick(slugs) }),
    () => (next() < 0.5 ? deleted(id) : insert()),
    () => files({ name: `${pick(titles).replaceAll('/', '-')}.txt`, base64: 'YQ==', contentType: 'text/plain' }),
  ];
  return pick(kinds)();
}
