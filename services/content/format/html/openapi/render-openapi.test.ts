import { type OpenApiBlock, renderOpenApi } from './render-openapi.js';

const htmlsOf = (...given: Parameters<typeof renderOpenApi>) => renderOpenApi(...given).map(({ html }) => html);

const operation = (path: string, method = 'get', id?: string): OpenApiBlock => ({
  kind: 'openapi',
  spec: { slug: 'pets' },
  id,
  shown: { type: 'operation', path, method, expanded: false },
});

const pet = {
  type: 'object',
  required: ['name'],
  properties: {
    id: { type: 'integer', format: 'int64', readOnly: true, example: 7 },
    name: { type: 'string', minLength: 1, maxLength: 40, description: 'How it is **called**' },
    kind: { type: 'string', enum: ['cat', 'dog'], default: 'cat' },
    tags: { type: 'array', items: { type: 'string' } },
    secret: { type: ['string', 'null'], writeOnly: true, pattern: '^x' },
    parent: { $ref: '#/components/schemas/Pet' },
    owner: { $ref: '#/components/schemas/Owner' },
  },
};

const spec = {
  openapi: '3.1.0',
  servers: [{ url: 'https://{region}.api.example/v1/', variables: { region: { default: 'eu' } } }],
  security: [{ key: [] }, {}],
  components: {
    schemas: {
      Pet: pet,
      Owner: {
        allOf: [{ $ref: '#/components/schemas/Person' }, { properties: { since: { type: 'string', format: 'date' } } }],
      },
      Person: { type: 'object', properties: { mail: { type: 'string', format: 'email' } } },
      Cat: { type: 'object', title: 'The cat', properties: { purrs: { type: 'boolean' } } },
      Dog: { type: 'object', properties: { barks: { type: 'boolean' } } },
      Any: {
        oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
        discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
      },
    },
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key', description: 'Ask us' } },
    parameters: {
      limit: { name: 'limit', in: 'query', description: 'At most', schema: { type: 'integer', maximum: 100 } },
    },
  },
  paths: {
    '/pets/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, description: 'Which pet', schema: { type: 'string' } }],
      post: {
        summary: 'Change a pet',
        description: 'With `care` and [help](https://help.example).',
        deprecated: true,
        parameters: [
          { $ref: '#/components/parameters/limit' },
          { name: 'X-Trace', in: 'header', required: true, schema: { type: 'string' } },
        ],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
        },
        responses: {
          200: {
            description: 'Changed',
            headers: { 'X-Left': { schema: { type: 'integer' } } },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Pet' },
                examples: { one: { value: { name: 'Tom' } }, two: { summary: 'Other', value: { name: 'Rex' } } },
              },
              'text/plain': { example: 'Tom' },
            },
          },
          404: { description: 'Not found' },
        },
        callbacks: { done: { '{$request.body#/url}': { post: { summary: 'Tell', responses: {} } } } },
      },
    },
    '/any': {
      get: {
        responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Any' } } } } },
      },
    },
  },
  webhooks: {
    born: { post: { summary: 'A pet is born', requestBody: { content: { 'application/json': { schema: pet } } } } },
  },
};

const html = (block: OpenApiBlock) => htmlsOf(spec, [block])[0] ?? '';
/** Without tags; marks of words as `«word»`. */
const textOf = (given: string) =>
  given
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('\u0001w', '«')
    .replaceAll('\u0002', '»')
    .replace(/\s+/g, ' ');

describe('an operation', () => {
  const post = html(operation('/pets/{id}', 'post', 'change'));

  it('has its title, address and description under its anchor', () => {
    expect(post).toContain('<section class="operation" id="change"');
    expect(post).toContain('<h2 id="change-title">Change a pet</h2>');
    expect(post).toContain('<span class="method method-post">POST</span>');
    expect(post).toContain('https://eu.api.example/v1</span>/pets/<span class="path-parameter">{id}</span>');
    expect(textOf(post)).toContain('«deprecated»');
    expect(post).toContain('With <code>care</code> and <a href="https://help.example/"');
  });

  it('says how to be authorized, with the choice to be nobody', () => {
    expect(post).toContain('API key (header) <code>X-Key</code>');
    expect(post).toContain('<p>Ask us</p>');
    expect(textOf(post)).toContain('«optional»');
  });

  it('shows the parameters of its path and its own by their places', () => {
    expect(textOf(post)).toMatch(/«pathParameters» id string «required» Which pet/);
    expect(textOf(post)).toMatch(/«queryParameters» limit integer At most «max» 100/);
    expect(textOf(post)).toMatch(/«headerParameters» X-Trace string/);
  });

  it('shows the fields of bodies with their bounds, without those that the other side sends', () => {
    const [request = '', response = ''] = textOf(post).split('«responses»');
    expect(request).toMatch(/name string «required» How it is called «minLength» 1 «maxLength» 40/);
    expect(request).toMatch(/kind string «default» cat «possibleValues» cat dog/);
    expect(request).toMatch(/tags string\[\]/);
    expect(request).toMatch(/secret string «nullable» «writeOnly» «pattern» \^x/);
    expect(request).not.toMatch(/id integer/);
    expect(response).toMatch(/id integer \(int64\) «readOnly»/);
    expect(response.split('«callbacks»')[0]).not.toContain('secret');
  });

  it('joins the parts of a schema, and names models inside themselves', () => {
    expect(textOf(post)).toMatch(/owner Owner «properties» 2 mail string \(email\) since string \(date\)/);
    expect(textOf(post)).toMatch(/parent Pet «recursive» Pet/);
  });

  it('shows responses in parts that open without a script, the first that succeeds open', () => {
    expect(post).toMatch(/<details class="response" open[^>]*><summary><code class="status status-2">200<\/code>/);
    expect(post).toMatch(/<p class="response response-empty"><code class="status status-4">404<\/code>.*Not found/);
    expect(textOf(post)).toMatch(/«headers» 1 X-Left integer/);
  });

  it('has samples of its request in tabs, and the examples of its responses', () => {
    const shown = textOf(post).replaceAll('&quot;', '"').replaceAll('&#39;', "'");
    expect(post.match(/<input type="radio" class="tab-input"/g)?.length).toBeGreaterThan(2);
    expect(shown).toContain("curl -X POST 'https://eu.api.example/v1/pets/{id}'");
    expect(shown).toContain("-H 'X-Key: YOUR_API_KEY'");
    expect(shown.replace(/\s/g, '')).toContain('JSON.stringify({');
    expect(shown).toContain('requests.post(');
    expect(shown.replace(/\s/g, '')).toContain('"name":"Tom"');
    expect(shown.replace(/\s/g, '')).toContain('"name":"Rex"');
  });

  it('shows its callbacks', () => {
    expect(textOf(post)).toMatch(/«callbacks» done Tell POST \{\$request\.body#\/url\}/);
  });

  it('offers the variants of a schema, with the value that chooses one', () => {
    const any = html(operation('/any'));
    expect(textOf(any)).toMatch(
      /200 application\/json Any .*«oneOf» Cat The cat kind: &quot;cat&quot; .*purrs boolean .*Dog .*barks boolean/,
    );
  });
});

describe('other blocks', () => {
  it('show a webhook with its body', () => {
    const [shown = ''] = htmlsOf(spec, [
      { kind: 'openapi', spec: { slug: 'pets' }, id: 'born', shown: { type: 'webhook', name: 'born', method: 'post' } },
    ]);
    expect(textOf(shown)).toMatch(/A pet is born .*POST born .*«webhookBody»/);
    expect(shown).not.toContain('curl');
  });

  it('show models closed in a list, and one by itself open', () => {
    const models = (schemas: string[], grouped: boolean) =>
      htmlsOf(spec, [
        { kind: 'openapi', spec: { slug: 'pets' }, id: 'm', shown: { type: 'schemas', schemas, grouped } },
      ])[0];
    expect(models(['Pet', 'Cat', 'None'], true)).toMatch(
      /wmodels.*<details class="model" id="m-pet"><summary>.*id="m-cat"/,
    );
    expect(models(['Cat'], false)).toMatch(/^<section class="models" id="m"><details class="model" id="m-cat" open/);
  });

  it('are headings of the page, unless there are very many', () => {
    const headings = (blocks: OpenApiBlock[]) => renderOpenApi(spec, blocks).map(({ heading }) => heading);
    expect(headings([operation('/pets/{id}', 'post', 'change'), operation('/any'), operation('/none')])).toEqual([
      { id: 'change', title: 'Change a pet', level: 1 },
      { id: expect.stringMatching(/get-any$/), title: 'GET /any', level: 1 },
      undefined,
    ]);
    const many = Array.from({ length: 201 }, () => operation('/any'));
    expect(headings(many).filter((heading) => heading)).toEqual([]);
  });

  it('say that an operation or a specification is unavailable', () => {
    expect(html(operation('/none'))).toContain('wunavailableOperation');
    expect(html(operation('/any', '__proto__'))).toContain('wunavailableOperation');
    expect(htmlsOf(undefined, [operation('/any')])[0]).toContain('wunavailableSpecification');
  });

  it('have ids and groups of their own on one page', () => {
    const all = htmlsOf(spec, [operation('/any'), operation('/any'), operation('/pets/{id}', 'post')], {
      prefix: 'a-',
    }).join('');
    const ids = [...all.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain('a-get-any-2');
  });
});

describe('a page of many operations', () => {
  const parameters = [{ name: 'fields', in: 'query', description: 'Which fields, please', schema: { type: 'string' } }];
  const paths = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [
      `/pets/${at}`,
      {
        get: {
          summary: `Summary ${at}`,
          description: `Description ${at}, *kept*.`,
          parameters: [...parameters, { name: `own-${at}`, in: 'query', description: `Of ${at}`, schema: {} }],
          responses: {
            200: {
              description: 'Pet',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
            },
          },
        },
      },
    ]),
  );
  const blocks = Object.keys(paths).map((path) => operation(path));
  const all = htmlsOf({ ...spec, paths }, blocks);

  it('keeps every summary, description and parameter', () => {
    for (const [at, shown] of all.entries()) {
      const text = textOf(shown);
      for (const part of [
        `Summary ${at}`,
        `Description ${at}, kept .`,
        'fields string Which fields, please',
        `own-${at} any Of ${at}`,
      ])
        expect(text).toContain(part);
    }
  });

  it('writes out a model once, and links to it from the others', () => {
    expect(all.join('').match(/How it is/g)?.length).toBe(1);
    const [, target] = /<a href="#(model-pet-\d+)">Pet<\/a>/.exec(all[1] ?? '') ?? [];
    expect(all[0]).toContain(`id="${target}"`);
  });
});
