import { ViewCache } from './view-cache.js';
import { visitorOf } from './visitor.js';

const parts = ['free', 'pro', 'beta', 'own'];
const conditions = [
  { text: 'visitor.claims.plan == "free"' },
  { text: 'visitor.claims.plan == "pro"' },
  { text: 'visitor.claims.beta == true' },
  { text: 'page.vars.level == space.vars.level', vars: { level: 2 } },
];

function open() {
  const made: string[][] = [];
  const cache = new ViewCache<string[]>({ maxSize: 100, sizeOf: ({ length }) => 1 + length });
  const view = (claims: Record<string, unknown>, version = 'v1') =>
    cache.viewFor({
      version,
      conditions,
      vars: { level: 2 },
      visitor: visitorOf(claims),
      without(hidden) {
        const shown = parts.filter((_, at) => !hidden.has(at));
        made.push(shown);
        return shown;
      },
    });
  return { view, made };
}

it('shows the parts whose conditions hold', async () => {
  const { view } = open();
  expect(await view({ plan: 'free' })).toEqual(['free', 'own']);
  expect(await view({ plan: 'pro', beta: true })).toEqual(['pro', 'beta', 'own']);
});

it('makes one view for all for whom the same conditions hold, and another for another version', async () => {
  const { view, made } = open();
  const first = await view({ plan: 'pro', name: 'Ada' });
  expect(await view({ plan: 'pro', name: 'Grace' })).toBe(first);
  expect(await view({ plan: 'pro', name: 'Ada' }, 'v2')).toEqual(first);
  expect(made).toHaveLength(2);
});

it('hides what carries a condition that is no expression', async () => {
  const cache = new ViewCache<string[]>({ maxSize: 10, sizeOf: () => 1 });
  const view = await cache.viewFor({
    version: 'v1',
    conditions: [{ text: 'visitor.claims.' }],
    visitor: visitorOf({}),
    without: (hidden) => (hidden.has(0) ? [] : ['shown']),
  });
  expect(view).toEqual([]);
});
