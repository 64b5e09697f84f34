import { toDocument } from '../document.js';
import type { Resolve } from '../document-model.js';

const resolve: Resolve = (url) => ({ kind: 'file', file: url });

describe('block keys', () => {
  const keys = (source: string) => toDocument(source, resolve).nodes.map((node) => node.key);

  it('stay the same when another block is changed, added or removed', () => {
    const before = keys('a\n\nb\n\n* c\n\n```\nd\n```\n\n![](e.png)');
    const after = keys('a\n\nchanged\n\nnew\n\n* c\n\n```\nd\n```\n\n![](e.png)');
    expect(after.filter((key) => before.includes(key))).toEqual([before[0], ...before.slice(2)]);
  });

  it('differ for blocks of the same text', () => {
    const same = keys('a\n\na\n\n> a\n\n***\n\n***');
    expect(new Set(same).size).toBe(5);
    expect(keys('a\n\na')).toEqual(same.slice(0, 2));
  });

  it('do not depend on what links resolve to', () => {
    const broken = toDocument('[a](b.md)\n\n![](c.png)', () => undefined).nodes.map((node) => node.key);
    expect(keys('[a](b.md)\n\n![](c.png)')).toEqual(broken);
  });
});
