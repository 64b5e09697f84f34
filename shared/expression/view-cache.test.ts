import { ViewCache } from './view-cache.js';
import { toVisitor } from './visitor.js';

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
    cache.viewForVisitor({
      version,
      conditions,
      vars: { level: 2 },
      visitor: toVisitor(claims),
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
  const view = await cache.viewForVisitor({
    version: 'v1',
    conditions: [{ text: 'visitor.claims.' }],
    visitor: toVisitor({}),
    without: (hidden) => (hidden.has(0) ? [] : ['shown']),
  });
  expect(view).toEqual([]);
});

describe('conditions that take long', () => {
  /** True for everybody, and different for each number. */
  const long = (at: number) => ({ text: `${at} >= 0 && [${'1,'.repeat(480)}1].includes(1)` });
  const many = Array.from({ length: 100 }, (_, at) => long(at));
  const cache = new ViewCache<{ hidden: number[] }>({ maxSize: 1000, sizeOf: () => 1 });
  const view = (version: string, name: number, conditions = many) =>
    cache.viewForVisitor({
      version,
      conditions,
      visitor: toVisitor({ name }),
      without: (hidden) => ({ hidden: [...hidden] }),
    });

  it('share one budget, of which each takes its length: the last ones do not hold', async () => {
    const conditions = Array.from({ length: 2500 }, (_, at) => long(at));
    const { hidden } = await view('large', 0, conditions);
    expect(hidden.length).toBeGreaterThan(500);
    expect(hidden).toEqual(conditions.map((_, at) => at).slice(-hidden.length));
  });

  it('give other requests their turn', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    await view(
      'turns',
      0,
      Array.from({ length: 300 }, (_, at) => long(at + 5000)),
    );
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
  });

  it('of one version do not make the visitors of another wait for all of its own, nor without end', async () => {
    const order: string[] = [];
    const refused: unknown[] = [];
    const see = (version: string, name: number) =>
      view(version, name).then(
        () => order.push(version),
        (error) => refused.push(error),
      );
    const flood = Array.from({ length: 250 }, (_, name) => see('flooded', name));
    await Promise.all([see('other', 0), ...flood]);
    expect(order.indexOf('other')).toBeLessThan(5);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({ type: 'UNAVAILABLE', code: 503 });
    expect(order.length + refused.length).toBe(251);
  });
});
