import { candidateOf, countTokens, matchingAll, rankCandidates, type TermMatches } from './score.js';
import type { PerField, SearchEntry, SearchTerm } from './search-port.js';

function entry(id: string, title: string, body = '', headings = ''): SearchEntry {
  const words = (text: string) => text.split(' ').filter(Boolean);
  return { id, title: words(title), headings: words(headings), body: words(body) };
}

/** What the steps return at their end. */
function ended<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

const mostRanked = 1000;

function search(entries: SearchEntry[], terms: SearchTerm[], each = 10, title?: string) {
  const tallies = new Map(entries.map((each) => [each.id, countTokens(each)]));
  const matches = terms.map((term): TermMatches<string> => {
    const frequencies = new Map<string, PerField>();
    const exact = new Set<string>();
    for (const [id, counts] of tallies)
      for (const [token, [title, headings, body]] of counts) {
        if (term.prefix ? !token.startsWith(term.token) : token !== term.token) continue;
        const sum = frequencies.get(id) ?? [0, 0, 0];
        frequencies.set(id, [sum[0] + title, sum[1] + headings, sum[2] + body]);
        if (token === term.token) exact.add(id);
      }
    return { frequencies, exact };
  });
  const found = new Set(ended(matchingAll(matches)));
  const matching = entries.filter(({ id }) => found.has(id));
  const candidates = new Map(matching.map((of) => [of.id, { scope: 'all', ...candidateOf(of) }]));
  const sum = (field: 0 | 1 | 2) => entries.reduce((total, of) => total + candidateOf(of).lengths[field], 0);
  const totals = { entries: entries.length, lengths: [sum(0), sum(1), sum(2)] as const };
  const [scope] = ended(rankCandidates({ terms, title, matches, candidates, totals, each }));
  return scope ? { hits: scope.hits, total: scope.total } : { hits: [], total: 0 };
}

const ids = (result: { hits: { id: string }[] }) => result.hits.map((hit) => hit.id);

describe('the score', () => {
  test('weighs a title above headings, and headings above a body', () => {
    const entries = [
      entry('body', 'one page', 'docker is here'),
      entry('headings', 'two page', 'nothing is here', 'docker'),
      entry('title', 'docker page', 'nothing is here'),
      entry('none', 'other page', 'nothing is here'),
    ];
    expect(ids(search(entries, [{ token: 'docker' }]))).toEqual(['title', 'headings', 'body']);
  });

  test('asks for every term', () => {
    const entries = [entry('a', 'docker', 'compose'), entry('b', 'docker', 'swarm'), entry('c', 'compose', 'x')];
    expect(search(entries, [{ token: 'docker' }, { token: 'compose' }])).toMatchObject({
      total: 1,
      hits: [{ id: 'a' }],
    });
    expect(search(entries, [])).toEqual({ total: 0, hits: [] });
    expect(search(entries, [{ token: 'absent' }])).toEqual({ total: 0, hits: [] });
  });

  test('puts an entry whose title is the query first, whatever the others score', () => {
    const entries = [
      entry('loud', 'install docker docker docker', 'docker '.repeat(30), 'docker docker docker'),
      entry('titled', 'docker', ''),
    ];
    expect(ids(search(entries, [{ token: 'docker' }]))[0]).toBe('titled');
    expect(ids(search(entries, [{ token: 'docker', prefix: true }]))[0]).toBe('titled');
  });

  test('puts a title in the order and with the repeats of the query first, then one that begins so, then one that holds it', () => {
    const entries = [
      entry('other', '1 0 0', '1 1 1 1 1 0'),
      entry('inside', 'since 1 1 0'),
      entry('begins', '1 1 0 beta'),
      entry('is', '1 1 0'),
    ];
    const terms = [{ token: '1' }, { token: '0', prefix: true }];
    expect(ids(search(entries, terms, 10, '1 1 0'))).toEqual(['is', 'begins', 'inside', 'other']);
  });

  test('scores a whole word above the start of a longer one', () => {
    const entries = [entry('longer', 'x y', 'dockerfile'), entry('whole', 'x y', 'docker'), entry('other', 'x y', 'z')];
    expect(ids(search(entries, [{ token: 'docker', prefix: true }]))).toEqual(['whole', 'longer']);
  });

  test('scores rare terms above common ones, and short entries above long ones', () => {
    const entries = [
      entry('common', 'p', 'api api'),
      entry('rare', 'p', 'api oauth'),
      ...Array.from({ length: 8 }, (_, n) => entry(`filler${n}`, 'p', 'api b')),
    ];
    const best = (token: string) => search(entries, [{ token }]).hits[0]?.score ?? 0;
    expect(best('oauth')).toBeGreaterThan(best('api'));
    const lengths = [entry('long', 'p', `api ${'word '.repeat(200)}`), entry('short', 'p', 'api word')];
    expect(ids(search(lengths, [{ token: 'api' }]))).toEqual(['short', 'long']);
  });

  test('breaks ties by id, and counts beyond what it returns', () => {
    const entries = Array.from({ length: mostRanked + 5 }, (_, n) =>
      entry(`e${String(n).padStart(5, '0')}`, 'same', 'x'),
    );
    const result = search(entries.reverse(), [{ token: 'same' }], 3);
    expect(ids(result)).toEqual(['e00000', 'e00001', 'e00002']);
    expect(result.total).toBe(mostRanked + 5);
    expect(search(entries, [{ token: 'same' }], 5000).hits).toHaveLength(mostRanked);
  });

  test('counts occurrences up to a limit', () => {
    expect(countTokens(entry('a', 'x x x x x x', 'x '.repeat(100), 'x')).get('x')).toEqual([4, 1, 20]);
  });
});
