import fc from 'fast-check';
import { runs } from '../../../../shared/testing/runs.js';
import { readPages } from '../../format/workers/page-worker.js';
import type { SpecOutline } from '../document/outline.js';
import { type PlannedPage, planPages } from './planned-pages.js';
import { eachPlanned } from './stored-plan.js';

const options = { spec: 'pets', models: true, byOperation: false };

const outline = (given: Partial<SpecOutline>): SpecOutline => ({
  title: 'Pets',
  tags: [],
  operations: [],
  webhooks: [],
  schemas: [],
  ...given,
});

const operation = (path: string, method: string, tags: string[] = [], summary?: string) => ({
  path,
  method,
  tags,
  ...(summary ? { summary } : {}),
});

const shape = (pages: PlannedPage[]): unknown[] =>
  pages.map(({ slug, lines, pages: below }) =>
    below.length > 0 ? [slug, lines.length, shape(below)] : [slug, lines.length],
  );

const tree = (given: Partial<SpecOutline>, wanted: Partial<typeof options> = {}) =>
  shape(planPages(outline(given), { ...options, ...wanted }));

describe('the pages of a specification', () => {
  it('are one for each tag that is used, in the order of the tags, and one for the schemas', () => {
    const operations = [operation('/b', 'get', ['Beta']), operation('/a', 'get', ['Alpha', 'Beta'])];
    const tags = [{ name: 'Alpha' }, { name: 'Unused' }, { name: 'Beta' }];
    expect(tree({ tags, operations, schemas: ['A'] })).toEqual([
      ['alpha', 1],
      ['beta', 1],
      ['models', 0],
    ]);
    expect(tree({ tags, operations, schemas: ['A'] }, { models: false })).toHaveLength(2);
  });

  it('put tags below their parents, and break rings of them', () => {
    const operations = ['One', 'Two', 'Three'].map((tag) => operation(`/${tag}`, 'get', [tag]));
    const tags = [{ name: 'One', parent: 'Two' }, { name: 'Two' }, { name: 'Three', parent: 'Three' }];
    expect(tree({ tags, operations })).toEqual([
      ['two', 1, [['one', 1]]],
      ['three', 1],
    ]);
    const ring = [
      { name: 'One', parent: 'Two' },
      { name: 'Two', parent: 'One' },
    ];
    expect(tree({ tags: ring, operations })).toHaveLength(3);
  });

  it('follow the paths where no operation has a tag', () => {
    const operations = [
      operation('/v1/pets/{id}', 'get'),
      operation('/v1/pets', 'post'),
      operation('/v1/user_groups', 'get'),
    ];
    expect(tree({ operations })).toEqual([
      ['pets', 2],
      ['user-groups', 1],
    ]);
    expect(tree({ operations: [...operations, operation('/x', 'get', ['X'])] })).toEqual([
      ['other', 3],
      ['x', 1],
    ]);
  });

  it('may be one for each operation, below that of its tag', () => {
    const operations = [operation('/a', 'get', ['A'], 'List'), operation('/a', 'post', ['A'], 'List')];
    expect(tree({ operations }, { byOperation: true })).toEqual([
      [
        'a',
        0,
        [
          ['list', 1],
          ['list-1', 1],
        ],
      ],
    ]);
  });

  it('show webhooks on a page of their own, or with their tag', () => {
    const webhooks = [
      { name: 'born', method: 'post', tags: ['A'] },
      { name: 'died', method: 'post', tags: [] },
    ];
    expect(tree({ webhooks, operations: [operation('/a', 'get', ['A'])] })).toEqual([
      ['a', 2],
      ['webhooks', 1],
    ]);
  });

  it('show each operation once, whatever its texts are, and read back as they were', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 30 }),
      fc.constantFrom(
        '{% endtab %}',
        '```',
        '"',
        '\\',
        '%}',
        '&quot;',
        '# H',
        '<div>',
        '{% openapi-operation',
        '~~~',
        '<!--',
        '$$',
      ),
    );
    const name = fc.constantFrom('A', 'B', 'C');
    const property = fc.property(
      fc.array(fc.record({ name, description: text, title: text }), { maxLength: 3 }),
      fc.array(fc.record({ path: text, method: fc.constantFrom('get', 'put'), summary: text, tags: fc.array(name) }), {
        maxLength: 8,
      }),
      (tags, operations) => {
        const planned = [...eachPlanned(planPages(outline({ tags, operations }), options))];
        expect(planned.flatMap(({ lines }) => lines)).toHaveLength(operations.length);
        for (const { bare, lines, title } of planned) {
          const [page] = readPages([bare()]);
          if (!page || 'refused' in page) throw new Error('refused');
          const shown = page.sections.map(({ text }) => text).filter((text) => text !== '');
          expect(shown).toEqual(lines);
          expect(page.title?.replace(/\s+/g, ' ').trim()).toBe(title);
        }
        const keys = planned.map(({ key }) => key);
        expect(new Set(keys).size).toBe(keys.length);
      },
    );
    fc.assert(property, { numRuns: runs(75) });
  });
});
