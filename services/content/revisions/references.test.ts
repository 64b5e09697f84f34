import { refOf } from './references.js';
import type { RevisionView } from './revision-view.js';

test('links to many aliases of a page take no longer each than links to few', () => {
  const aliases = Array.from({ length: 60_000 }, (_, at): [string, string] => [`alias-${at}`, `anchor-${at}`]);
  const page = { aliases };
  const began = performance.now();
  const found = aliases.map(([alias]) => refOf({} as RevisionView, page, `#${alias}`, 'link')?.anchor);
  expect(found.every((anchor, at) => anchor === `anchor-${at}`)).toBe(true);
  expect(performance.now() - began).toBeLessThan(1000);
  expect(refOf({} as RevisionView, page, '#other', 'link')).toEqual({ kind: 'anchor', anchor: 'other' });
});
