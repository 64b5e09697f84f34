import { decodeJwt } from 'jose';
import { createSecrets } from '../secrets/secrets.js';
import type { ContentCaller } from './caller.js';
import { contentTokens } from './content-token.js';

const tokens = contentTokens(createSecrets([Buffer.alloc(32, 1).toString('base64')]), 'https://bindery.test');
const visitor: ContentCaller = {
  kind: 'content',
  organization: 'o',
  site: 'site_1',
  siteSpace: 'v',
  space: 'a',
  spaces: ['a', 'b'],
  claims: { plan: 'pro', nested: { a: 1, b: [{ c: 1, d: 2 }] } },
};

/** Epoch seconds. */
let now: number;
beforeEach(() => {
  now = 1_790_000_000 - (1_790_000_000 % 1800);
  jest.spyOn(Date, 'now').mockImplementation(() => now * 1000);
});
afterEach(() => jest.restoreAllMocks());

describe('a content token', () => {
  it('is the same for the same visitor throughout a window, and always has half an hour to live', async () => {
    const seen = new Set<string>();
    for (const [second, windows] of [
      [0, 1],
      [1, 1],
      [900, 1],
      [1799, 1],
      [1800, 2],
      [3599, 2],
      [3600, 3],
    ] as const) {
      const start = now;
      now += second;
      const token = await tokens.sign(visitor);
      seen.add(token);
      expect(seen.size).toBe(windows);
      expect(Number(decodeJwt(token).exp) - now).toBeGreaterThanOrEqual(1800);
      expect(Number(decodeJwt(token).exp) - now).toBeLessThanOrEqual(3600);
      now = start;
    }
  });

  it('does not depend on the order of keys', async () => {
    const { claims: _, ...rest } = visitor;
    const turned = { claims: { nested: { b: [{ d: 2, c: 1 }], a: 1 }, plan: 'pro' }, ...rest };
    expect(await tokens.sign(turned)).toBe(await tokens.sign(visitor));
  });

  it.each<[string, Partial<ContentCaller>]>([
    ['claims', { claims: { plan: 'free' } }],
    ['a JWT', { signedBy: 'mark' }],
    ['another share link', { shareKey: 'key' }],
    ['another site space', { siteSpace: 'w' }],
    ['other spaces', { spaces: ['a'] }],
    ['a preview', { preview: {} }],
  ])('differs for %s', async (_, other) => {
    expect(await tokens.sign({ ...visitor, ...other })).not.toBe(await tokens.sign(visitor));
  });

  it('differs for visitors whose access ends before it expires, and for no others', async () => {
    const [plain, short, longer, longest] = await Promise.all(
      [undefined, now + 600, now + 4000, now + 9000].map((until) =>
        tokens.sign({ ...visitor, ...(until === undefined ? {} : { until }) }),
      ),
    );
    expect(decodeJwt(short as string)).toMatchObject({ until: now + 600, exp: now + 3600 });
    expect([longer, longest]).toEqual([plain, plain]);
  });
});
