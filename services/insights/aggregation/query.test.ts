import fc from 'fast-check';
import { anyCharacter, runs } from '../../../shared/testing/runs.js';
import { aggregationQuery } from './query.js';
import { aggregationSchema } from './resources.js';
import { randomAggregation } from './testing/random.js';

fc.configureGlobal({ numRuns: runs(25) });

const now = new Date('2026-03-31T12:00:00.000Z');
function queryOf(body: object, place = { organization: 'an-organization', site: 'a-site' }) {
  return aggregationQuery({
    ...place,
    table: 'events',
    body: aggregationSchema.parse({ range: 'last7Days', ...body }),
    now,
  });
}
const where = (condition: object) => ({ where: [{ column: 'url', values: [] }, condition] });
const refused = (message: string) => expect.objectContaining({ type: 'INVALID', message });

describe('the query of an aggregation', () => {
  it('is refused with the field that is wrong', () => {
    const point = (h3: string) => ({ latitude: 0, longitude: 0, h3 });
    const cases: [object, string][] = [
      [{ order: { by: { column: 'page' }, direction: 'asc' } }, 'order.by: must be selected or grouped by'],
      [
        {
          select: [{ column: 'datetime', interval: 'day' }],
          order: { by: { column: 'datetime', interval: 'hour' }, direction: 'asc' },
        },
        'order.by: must be selected or grouped by',
      ],
      [
        where({ column: 'page', operator: 'greaterThan', values: [null] }),
        'where.1.operator: greaterThan compares times, numbers and texts, not page',
      ],
      [where({ column: 'eventsCount', operator: 'lessThan', values: [] }), 'where.1.values: lessThan needs a value'],
      [
        where({ column: 'siteSpace', operator: 'lessThan', values: [null] }),
        'where.1.values.0: lessThan needs a value, not null',
      ],
      ...['', 'zz', '85283473ffffff', '85283473ffffff0', '0x85283473fffffff', 'ff85283473fffffff'].map(
        (h3): [object, string] => [
          where({ column: 'visitorGeoPoint', values: [point('85283473fffffff'), point(h3)] }),
          'where.1.values.1.h3: not an H3 cell',
        ],
      ),
    ];
    for (const [body, message] of cases) expect(() => queryOf(body)).toThrow(refused(message));
  });

  it('takes values up to a size that databases take', () => {
    const pages = (count: number) =>
      where({
        column: 'url',
        values: Array.from({ length: count }, (_, at) => `https://docs.example.com/${'a'.repeat(100)}/${at}`),
      });
    expect(() => queryOf(pages(250))).not.toThrow();
    expect(() => queryOf(pages(1000))).toThrow(/^where: values and claims are too long: at most 100000 bytes together/);
    expect(() => queryOf({ select: [{ column: 'visitorClaim', claim: '\ud800'.repeat(500) }] })).not.toThrow();
  });

  it('orders by a column with its default precision', () => {
    const body = {
      select: [{ column: 'visitorGeoPoint' }],
      order: { by: { column: 'visitorGeoPoint', precision: 5 }, direction: 'desc' },
    };
    expect(queryOf(body).query).toContain('ORDER BY c0 DESC\n');
  });

  it('has the same SQL whatever the texts from outside are', () => {
    const hostile = fc.oneof(
      fc.string({ unit: anyCharacter, minLength: 1, maxLength: 40 }),
      fc.constantFrom("'", "\\'", '}', '{p0:String}', "') OR 1=1 --", '/*', '`', '\0', 'c0', '; DROP TABLE events'),
    );
    const body = (claim: string, value: string) => ({
      select: [{ column: 'visitorClaim', claim }, { column: 'eventsCount' }],
      groupBy: [{ column: 'page' }],
      where: [
        { column: 'visitorClaim', claim, operator: 'greaterThan', values: [value] },
        { column: 'url', values: [value, `${value}2`] },
        { column: 'siteSpace', operator: 'notIn', values: [value, null] },
        { column: 'page', values: [{ page: value, space: value }] },
        { column: 'visitorClaimProperty', values: [value] },
        { column: 'eventLinkTargetValue', values: [{ kind: 'url', url: value }] },
      ],
      order: { by: { column: 'visitorClaim', claim }, direction: 'asc' },
    });
    const { query: sql } = queryOf(body('a-claim', 'a-value'));
    fc.assert(
      fc.property(hostile, hostile, (claim, value) => {
        const query = queryOf(body(claim, value), { organization: value, site: claim });
        expect(query.query).toBe(sql);
        expect(Object.values(query.parameters)).toEqual(expect.arrayContaining([claim, value, [value, `${value}2`]]));
      }),
    );
  });

  it('has a parameter for each place that takes one, and is made of known words only', () => {
    fc.assert(
      fc.property(randomAggregation, (body) => {
        const { query: sql, parameters: params } = queryOf(body);
        const places = [...sql.matchAll(/\{(p\d+):[^}]+\}/g)].map(([, name]) => name);
        expect(Object.keys(params)).toEqual(expect.arrayContaining(places));
        expect(sql).toMatch(/^[A-Za-z0-9_ ,.()[\]{}:=<>!'\n-]+$/);
        expect(sql.replaceAll(/'(?:UTC|bad|ok|good|page_post_feedback|)'/g, '')).not.toContain("'");
      }),
    );
  });
});
