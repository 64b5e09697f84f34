import { sampleOf } from './sampled-values.js';
import { SchemaShapes } from './schema-shapes.js';
import { SpecPointers } from './spec-pointers.js';

const node = { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#/components/schemas/Node' } } };
const shapes = new SchemaShapes(new SpecPointers({ components: { schemas: { Node: node } } }));
const sample = (schema: unknown, side: 'request' | 'response' = 'request') => sampleOf(shapes, schema, side);

describe('a sample', () => {
  it.each([
    [{ type: 'string' }, 'text'],
    [{ type: 'string', format: 'date' }, '2026-01-31'],
    [{ type: 'string', enum: ['b', 'a'] }, 'b'],
    [{ type: 'integer', minimum: 5 }, 5],
    [{ type: ['null', 'boolean'] }, true],
    [{ type: 'array', items: { type: 'number' } }, [1]],
    [{ const: 0 }, 0],
    [{ type: 'string', default: '' }, ''],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, { key: 1 }],
    [{ oneOf: [{ type: 'string' }, { type: 'integer' }] }, 'text'],
  ])('of %j is %j', (schema, value) => {
    expect(sample(schema)).toEqual(value);
  });

  it('has what its side sends', () => {
    const schema = {
      properties: { id: { type: 'integer', readOnly: true }, key: { type: 'string', writeOnly: true } },
    };
    expect([sample(schema), sample(schema, 'response')]).toEqual([{ key: 'text' }, { id: 1 }]);
  });

  it('ends where a model is inside itself', () => {
    expect(sample({ $ref: '#/components/schemas/Node' })).toEqual({ name: 'text' });
  });

  it('is bounded', () => {
    const wide = {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`p${at}`, { type: 'string' }])),
    };
    expect(Object.keys(sample(wide) as object).length).toBeLessThanOrEqual(40);
  });
});
