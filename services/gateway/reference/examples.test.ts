import { exampleId, examplesOf } from '../../../shared/contract/examples.js';
import { requestReader } from '../../../shared/contract/validation.js';
import { operations } from '../contracts.js';
import { openApiDocument } from './openapi.js';

const withBody = operations.filter(({ body }) => body);

describe('the examples of', () => {
  let paths: any;
  beforeAll(async () => {
    ({ paths } = await openApiDocument(operations, { version: '0', baseUrl: 'http://localhost' }));
  });

  it.each(withBody.map((operation) => [operation.id, operation] as const))(
    '%s are taken by its own schema and shown in the API reference',
    (_, operation) => {
      const examples = examplesOf(operation.body);
      expect(examples.length).toBeGreaterThan(0);
      const read = requestReader(operation);
      const path = Object.fromEntries([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 'id']));
      for (const body of examples) expect(() => read({ path, query: {}, body })).not.toThrow();
      const { requestBody } = paths[operation.path][operation.method.toLowerCase()];
      expect(requestBody.content['application/json'].schema.examples).toEqual(examples);
    },
  );
});

describe('the id of an example', () => {
  it('is a ULID, one for each kind of resource', () => {
    expect(exampleId('space')).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    expect(exampleId('space')).toBe(exampleId('space'));
    expect(exampleId('space')).not.toBe(exampleId('siteSpace'));
  });
});
