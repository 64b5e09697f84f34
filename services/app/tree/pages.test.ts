import type { Page } from '../../content/resources.js';
import { english } from '../words/english/english.js';
import { entriesOf, newPlace, placementFor } from './pages.js';

const page = (id: string, pages: Page[] = [], type: Page['type'] = 'document'): Page => ({
  id,
  title: id,
  type,
  pages,
});
const entries = entriesOf([
  page('a'),
  page('b', [page('b1'), page('b2', [page('b2x')]), page('b3')]),
  page('l', [], 'link'),
  page('c'),
]);
const move = (id: string, how: string, target = '') => placementFor(english, entries, { page: id, how, target });

it.each([
  ['b', 'up', '', { into: null, at: 0 }],
  ['b', 'down', '', { into: null, at: 2 }],
  ['b', 'in', '', { into: 'a', at: 0 }],
  ['b3', 'in', '', { into: 'b2', at: 1 }],
  ['b2', 'out', '', { into: null, at: 2 }],
  ['b2x', 'out', '', { into: 'b', at: 2 }],
  ['c', 'into', 'b', { into: 'b', at: 3 }],
  ['b1', 'into', 'b', { into: 'b', at: 2 }],
  ['a', 'before', 'c', { into: null, at: 2 }],
  ['a', 'after', 'c', { into: null, at: 3 }],
  ['c', 'before', 'a', { into: null, at: 0 }],
  ['c', 'after', 'b1', { into: 'b', at: 1 }],
  ['b1', 'into', '', { into: null, at: 4 }],
])('%s goes %s %s', (id, how, target, placement) => {
  expect(move(id, how, target)).toEqual(placement);
});

it.each([
  ['a', 'up', ''],
  ['c', 'down', ''],
  ['a', 'in', ''],
  ['a', 'out', ''],
  ['c', 'in', ''],
  ['a', 'into', 'l'],
  ['b', 'into', 'b2x'],
  ['b', 'after', 'b'],
  ['a', 'into', 'gone'],
  ['gone', 'up', ''],
  ['a', 'elsewhere', 'b'],
])('%s cannot go %s %s', (id, how, target) => {
  expect(() => move(id, how, target)).toThrow();
});

it('a new page goes below or after another, else to the end', () => {
  expect(newPlace(english, entries, 'below:b')).toEqual({ into: 'b' });
  expect(newPlace(english, entries, 'after:b2')).toEqual({ into: 'b', at: 2 });
  expect(newPlace(english, entries, 'after:a')).toEqual({ at: 1 });
  expect(newPlace(english, entries, '')).toEqual({});
  expect(() => newPlace(english, entries, 'after:gone')).toThrow();
});
