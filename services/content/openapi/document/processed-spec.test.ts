import type { SpecOutline } from './outline.js';
import { filesNamedBy, processFiles } from './processed-spec.js';

const bytesOf = (source: unknown) => Buffer.from(typeof source === 'string' ? source : JSON.stringify(source));
const parsed = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString());

/** What is made of the files, by their addresses; the first is the entry. */
function made(files: Record<string, unknown>): { document: any; outline: SpecOutline } {
  const result = processFiles(Object.entries(files).map(([url, source]) => ({ url, bytes: bytesOf(source) })));
  if (!('file' in result)) throw new Error(JSON.stringify(result));
  return { document: parsed(result.file), outline: parsed(result.outline) };
}
const info = { title: 'A', version: '1' };
const outlineOf = (more: object) => made({ '': { openapi: '3.1.0', info, paths: {}, ...more } }).outline;

describe('an outline', () => {
  it('names operations, webhooks and schemas in their order', () => {
    const outline = outlineOf({
      info: { ...info, description: ' About it. ' },
      paths: {
        '/b': {
          parameters: [],
          post: { summary: 'Add', operationId: 'addB', deprecated: true, tags: ['x', 'x', 1, 'y'] },
          get: {},
          'x-get': {},
        },
        '/a': { $ref: '#/components/pathItems/shared', summary: 'Own' },
        'x-other': { get: {} },
      },
      webhooks: { created: { post: { summary: 'Created', tags: ['y'] } } },
      components: { schemas: { Z: {}, A: {} }, pathItems: { shared: { delete: { deprecated: 'yes' } } } },
    });
    expect(outline).toEqual({
      title: 'A',
      version: '1',
      description: 'About it.',
      tags: [{ name: 'x' }, { name: 'y' }],
      operations: [
        { path: '/b', method: 'post', summary: 'Add', operationId: 'addB', deprecated: true, tags: ['x', 'y'] },
        { path: '/b', method: 'get', tags: [] },
        { path: '/a', method: 'delete', tags: [] },
      ],
      webhooks: [{ name: 'created', method: 'post', summary: 'Created', tags: ['y'] }],
      schemas: ['Z', 'A'],
    });
  });

  it('leaves out what is hidden', () => {
    const { operations, webhooks, tags } = outlineOf({
      paths: {
        '/a': {
          get: { 'x-internal': true, tags: ['hidden'] },
          put: { 'x-gitbook-ignore': true },
          post: { 'x-internal': false },
        },
        '/b': { 'x-internal': true, get: {} },
      },
      webhooks: { a: { post: { 'x-internal': true } } },
    });
    expect([operations, webhooks, tags]).toEqual([[{ path: '/a', method: 'post', tags: [] }], [], []]);
  });

  it('takes the pages of tags from their extensions, and the tags above them where there are such', () => {
    const tags = [
      {
        name: 'a',
        'x-page-title': 'Page A',
        'x-displayName': 'Other',
        'x-page-icon': 'bolt',
        description: 'Of the tag',
      },
      { name: 'b', 'x-displayName': 'B!', 'x-page-description': 'Of the page', description: 'Of the tag', parent: 'a' },
      { name: 'c', 'x-parent': 'd' },
      { name: 'd', parent: 'c' },
      { name: 'e', parent: 'none' },
      { name: 'a', 'x-page-title': 'Twice' },
      { name: 7 },
      'f',
    ];
    const outline = outlineOf({ tags, paths: { '/a': { get: { tags: ['g', 'a'] } } } });
    expect(outline.tags).toEqual([
      { name: 'a', title: 'Page A', description: 'Of the tag', icon: 'bolt' },
      { name: 'b', title: 'B!', description: 'Of the page', parent: 'a' },
      { name: 'c' },
      { name: 'd', parent: 'c' },
      { name: 'e' },
      { name: 'g' },
    ]);
  });

  it('is bounded in its texts', () => {
    const long = `${'x'.repeat(998)}😀${'x'.repeat(10_000)}`;
    const outline = outlineOf({
      info: { title: long, description: long },
      paths: { [`/${long}`]: { get: {} }, '/a': { get: { summary: long } } },
    });
    expect([outline.title.length, outline.description?.length, outline.operations]).toEqual([
      500,
      5000,
      [{ path: '/a', method: 'get', summary: `${'x'.repeat(998)}😀`, tags: [] }],
    ]);
  });
});

describe('a specification', () => {
  it.each([
    ['Swagger 2.0', { swagger: '2.0', host: 'a.example', basePath: '/v1', definitions: { Pet: { type: 'string' } } }],
    ['OpenAPI 3.0', { openapi: '3.0.1', components: { schemas: { Pet: { type: 'string' } } } }],
    ['OpenAPI 3.1', { openapi: '3.1.0', components: { schemas: { Pet: { type: 'string' } } } }],
  ])('of %s becomes OpenAPI 3.1', (_, format) => {
    const { document, outline } = made({ '': { ...format, info, paths: { '/a': { get: { responses: {} } } } } });
    expect([document.openapi, document.components.schemas.Pet, outline.operations.length]).toEqual([
      expect.stringMatching(/^3\.1\./),
      { type: 'string' },
      1,
    ]);
  });

  it('in YAML may have its version as a number, merge keys and texts that look like dates', () => {
    const yaml =
      'openapi: 3.1\ninfo: {title: A, version: 2020-01-01}\nx-base: &base {get: {}}\npaths:\n  /a:\n    <<: *base\n  /b: *base\n';
    const { document, outline } = made({ '': `\uFEFF${yaml}` });
    expect([document.openapi, document.info.version, outline.operations.length]).toEqual(['3.1', '2020-01-01', 2]);
    expect(made({ '': 'swagger: 2.0\ninfo: {title: A}\npaths: {}\n' }).document.openapi).toMatch(/^3\.1/);
  });

  it('is the same in JSON and in YAML, but not with its paths in another order', () => {
    const fileOf = (source: string) =>
      Buffer.from((processFiles([{ url: '', bytes: bytesOf(source) }]) as { file: Uint8Array }).file).toString();
    const json = '{"openapi": "3.1.0", "info": {"title": "A"}, "paths": {"/a": {}, "/b": {}}}';
    const yaml = 'openapi: 3.1.0\ninfo:\n  title: A\npaths:\n  /a: {}\n  /b: {}\n';
    expect(fileOf(yaml)).toBe(fileOf(json));
    expect(fileOf(yaml.replace('/a', '/c'))).not.toBe(fileOf(json));
    expect(fileOf('{"openapi": "3.1.0", "info": {"title": "A"}, "paths": {"/b": {}, "/a": {}}}')).not.toBe(
      fileOf(json),
    );
  });
});

describe('OpenAPI 3.2', () => {
  const more = {
    $self: 'https://a.example/api/self.json',
    paths: {
      '/a': {
        query: { summary: 'Search' },
        additionalOperations: { COPY: { summary: 'Copy', tags: ['child'] }, get: { summary: 'No' }, 'x y': {} },
      },
    },
    tags: [
      { name: 'top', summary: 'The top', kind: 'nav' },
      { name: 'child', parent: 'top', kind: 'badge' },
    ],
    components: {
      schemas: { Pet: { $ref: 'https://a.example/api/self.json#/components/schemas/Other' }, Other: {} },
      mediaTypes: { lines: { itemSchema: { $ref: '#/components/schemas/Pet' } } },
      securitySchemes: {
        o: { type: 'oauth2', oauth2MetadataUrl: 'https://a.example/m', flows: { deviceAuthorization: {} } },
      },
    },
  };

  it('stays what it is, and its operations and tags are outlined', () => {
    const { document, outline } = made({ '': { openapi: '3.2.0', info, ...more } });
    const { components } = document;
    expect(document).toEqual({
      openapi: '3.2.0',
      info,
      ...more,
      components: { ...more.components, schemas: { Pet: { $ref: '#/components/schemas/Other' }, Other: {} } },
    });
    expect(components.securitySchemes).toEqual(more.components.securitySchemes);
    expect(outline.operations).toEqual([
      { path: '/a', method: 'query', summary: 'Search', tags: [] },
      { path: '/a', method: 'COPY', summary: 'Copy', tags: ['child'] },
    ]);
    expect(outline.tags).toEqual([
      { name: 'top', title: 'The top' },
      { name: 'child', parent: 'top' },
    ]);
  });

  it('may have no paths', () => {
    expect(made({ '': 'openapi: 3.2\ninfo: {title: A}\n' }).document.openapi).toBe('3.2');
  });
});

describe('files that refer to each other', () => {
  const entry = 'https://a.example/api/openapi.json';
  const of = (more: object) => ({ openapi: '3.1.0', info, paths: {}, ...more });

  it('become one, each once, under names that are recognised', () => {
    const { document, outline } = made({
      [entry]: of({
        paths: { '/a': { $ref: 'paths.json#/a%7B~1%7D' } },
        components: { schemas: { Pet: { $ref: 'v1/pet.json' }, Other: { $ref: './v2/pet.json#/$defs/Pet' } } },
      }),
      'https://a.example/api/paths.json': {
        'a{/}': { get: { parameters: [{ $ref: '#/parameters/b' }] } },
        parameters: { b: { in: 'query' } },
      },
      'https://a.example/api/v1/pet.json': { properties: { self: { $ref: '#' }, other: { $ref: '../v2/pet.json' } } },
      'https://a.example/api/v2/pet.json': { $defs: { Pet: { $ref: '../openapi.json#/components/schemas/Pet' } } },
      'https://a.example/api/unused.json': { a: 1 },
    });
    expect(outline.operations).toEqual([{ path: '/a', method: 'get', tags: [] }]);
    expect(document.paths['/a'].get.parameters).toEqual([{ $ref: '#/x-ext/file/paths/parameters/b' }]);
    expect(document.components.schemas).toEqual({
      Pet: { $ref: '#/x-ext/schema/pet' },
      Other: { $ref: '#/x-ext/schema/pet-2/$defs/Pet' },
    });
    expect(document['x-ext'].schema).toEqual({
      pet: { properties: { self: { $ref: '#/x-ext/schema/pet' }, other: { $ref: '#/x-ext/schema/pet-2' } } },
      'pet-2': { $defs: { Pet: { $ref: '#/components/schemas/Pet' } } },
    });
    expect(JSON.stringify(document)).not.toContain('unused');
  });

  it('are named when they are missing, without what only looks like a reference', () => {
    const document = of({
      'x-a': [{ $ref: 'a.json#/b' }, { $ref: 'https://b.example/c.yaml' }, { $ref: 'a.json' }, { $ref: '#/x-b' }],
      'x-b': {
        example: { $ref: 'no.json' },
        default: { $ref: 'no.json' },
        enum: [{ $ref: 'no.json' }],
        examples: { one: { $ref: 'example.json' }, two: { value: { $ref: 'no.json' } } },
        properties: { $ref: { type: 'string' }, example: { $ref: 'property.json' } },
      },
    });
    const missing = ['a.json', 'example.json', 'property.json'].map((name) => `https://a.example/api/${name}`);
    const result = processFiles([{ url: entry, bytes: bytesOf(document) }]) as { missing: string[] };
    expect([...result.missing].sort()).toEqual([...missing, 'https://b.example/c.yaml'].sort());
    const named = filesNamedBy({ url: 'https://a.example/x/y.yaml', bytes: bytesOf('a: {$ref: ../z.yaml#/b}') });
    expect(named).toEqual({ missing: ['https://a.example/z.yaml'] });
  });

  it('follow whatever names a schema by its address', () => {
    const { document } = made({
      [entry]: of({
        openapi: '3.2.0',
        $self: 'https://b.example/v1/self.json',
        components: {
          schemas: {
            Pet: {
              discriminator: {
                propertyName: 'kind',
                mapping: {
                  dog: 'dog.yaml',
                  cat: 'pets.json#/$defs/Cat',
                  fish: 'Fish',
                  self: '#/components/schemas/Pet',
                },
                defaultMapping: './pets.json#/$defs/Any',
              },
            },
            Tree: { $dynamicRef: 'tree.json#node' },
          },
          links: {
            own: { operationRef: 'pets.json#/paths/~1a/get' },
            other: { operationRef: 'https://c.example/o.json#/paths/~1a/get' },
          },
          examples: { e: { externalValue: 'examples/e.json' }, mapping: { value: { $ref: 'no.json' } } },
        },
      }),
      'https://b.example/v1/dog.yaml':
        'externalValue: {type: string}\nallOf: [{$ref: "self.json#/components/schemas/Pet"}]\n',
      'https://b.example/v1/pets.json': { $defs: { Cat: {}, Any: {} }, paths: { '/a': { get: {} } } },
      'https://b.example/v1/tree.json': { $dynamicAnchor: 'node', items: { $dynamicRef: '#node' } },
    });
    const { schemas, links, examples } = document.components;
    expect(schemas.Pet.discriminator).toEqual({
      propertyName: 'kind',
      mapping: {
        dog: '#/x-ext/schema/dog',
        cat: '#/x-ext/schema/pets/$defs/Cat',
        fish: 'Fish',
        self: '#/components/schemas/Pet',
      },
      defaultMapping: '#/x-ext/schema/pets/$defs/Any',
    });
    expect(schemas.Tree).toEqual({ $dynamicRef: '#node' });
    expect(links).toEqual({
      own: { operationRef: '#/x-ext/schema/pets/paths/~1a/get' },
      other: { operationRef: 'https://c.example/o.json#/paths/~1a/get' },
    });
    expect(examples.e.externalValue).toBe('https://b.example/v1/examples/e.json');
    expect(examples.mapping.value.$ref).toBe('no.json');
    expect(document['x-ext'].schema.dog.allOf).toEqual([{ $ref: '#/components/schemas/Pet' }]);
    expect(document['x-ext'].schema.tree.items).toEqual({ $dynamicRef: '#node' });
  });

  it('of a text may be named where it is no reference that must be there', () => {
    const mapping = { dog: 'dog.yaml' };
    const { document } = made({
      '': of({
        components: {
          schemas: { Pet: { discriminator: { propertyName: 'a', mapping } } },
          links: { a: { operationRef: 'https://c.example/o.json#/a' } },
        },
      }),
    });
    expect(document.components.schemas.Pet.discriminator.mapping).toEqual(mapping);
    expect(document.components.links.a.operationRef).toBe('https://c.example/o.json#/a');
  });

  it('may refer to themselves in circles', () => {
    const { outline } = made({
      [entry]: of({
        paths: { '/a': { $ref: '#/paths/~1b' }, '/b': { $ref: '#/paths/~1a' }, '/c': { $ref: '#/none' } },
      }),
    });
    expect(outline.operations).toEqual([]);
  });

  it('are refused where many paths repeat one that is large', () => {
    const large = { get: { 'x-a': Array(10_000).fill(1) } };
    const paths = Object.fromEntries(
      Array.from({ length: 1000 }, (_, at) => [`/${at}`, { $ref: '#/components/pathItems/a' }]),
    );
    const document = of({ paths, components: { pathItems: { a: large } } });
    const result = processFiles([{ url: '', bytes: bytesOf(document) }]);
    expect(result).toEqual({ problem: expect.stringContaining('too many values') });
  });

  it('are refused where what pages are made from is too much', () => {
    const summary = 'x'.repeat(1000);
    const paths = Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [`/${at}`, { get: { summary } }]));
    const result = processFiles([{ url: '', bytes: bytesOf(of({ paths })) }]);
    expect(result).toEqual({ problem: expect.stringContaining('larger than 8 MiB') });
  });
});
