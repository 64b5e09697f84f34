import { z } from 'zod';
import { queryReader } from './router.js';

const read = queryReader(
  z.object({
    limit: z.number().int().default(50),
    nested: z.boolean().optional(),
    authors: z.array(z.string()).optional(),
    text: z.string().optional(),
  }),
);

describe('a query string', () => {
  it.each([
    ['limit=5&nested=true&text=a%20b', { limit: 5, nested: true, text: 'a b' }],
    ['authors=a&authors=b,c', { authors: ['a', 'b', 'c'] }],
    ['nested=0', { nested: false }],
    ['other=1&__proto__=x', {}],
    ['', {}],
    ['limit=abc', { limit: 'abc' }],
    ['limit=1e999', { limit: '1e999' }],
  ])('%s is read as %j', (text, query) => {
    expect(read(text)).toEqual(query);
  });

  it('gives a scalar once', () => {
    expect(() => read('limit=1&limit=2')).toThrow('limit');
  });
});
