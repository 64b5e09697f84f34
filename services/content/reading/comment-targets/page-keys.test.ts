import type { PageEntry, RevisionView } from '../../core/revisions/revision-view.js';
import { keysOfPages } from './page-keys.js';

const view = { revision: { space: 's' } } as RevisionView;
const page = (id: number) => ({ id: `p${id}` }) as PageEntry;

it('looks at 50 pages of a question, four at a time', async () => {
  let [running, most] = [0, 0];
  const blockKeys = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return new Set(['key']);
  };
  const deps = { store: {}, work: { blockKeys } } as unknown as Parameters<typeof keysOfPages>[0];
  const pages = Array.from({ length: 60 }, (_, at) => page(at));
  const found = await keysOfPages(deps, { organization: 'o', view, pages });
  expect([...found.keys()].sort()).toEqual(
    pages
      .slice(0, 50)
      .map(({ id }) => id)
      .sort(),
  );
  expect(most).toBe(4);
});
