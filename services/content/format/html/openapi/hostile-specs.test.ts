import { type OpenApiBlock, renderOpenApi } from './render-openapi.js';
import type { SpecObject } from './spec-values.js';

const htmlsOf = (...given: Parameters<typeof renderOpenApi>) => renderOpenApi(...given).map(({ html }) => html);

const block: OpenApiBlock = {
  kind: 'openapi',
  spec: { slug: 'a' },
  id: 'a',
  shown: { type: 'operation', path: '/a', method: 'post', expanded: true },
};

/** The HTML of an operation with a schema as its body and its response. */
function shown(schema: unknown, more: SpecObject = {}): string {
  const content = { 'application/json': { schema } };
  const post = { requestBody: { content }, responses: { 200: { description: 'OK', content } }, ...more };
  const spec = {
    paths: { '/a': { post } },
    components: { schemas: { A: schema, ...((more.schemas as object) ?? {}) } },
  };
  return htmlsOf(spec, [block])[0] ?? '';
}

const attack = '"><script>alert(1)</script><img src=x onerror=alert(1)>';

describe('a hostile specification', () => {
  it('executes nothing by its texts', () => {
    const all = shown(
      {
        type: 'object',
        title: attack,
        description: `${attack} [x](javascript:alert(1))`,
        properties: { [attack]: { type: attack, pattern: attack, enum: [attack] } },
      },
      {
        summary: attack,
        description: `${attack}\n\n<iframe src="javascript:alert(1)"></iframe><a href="javascript:alert(1)">x</a>`,
        parameters: [{ name: attack, in: 'query', required: true, description: attack, example: attack }],
        servers: [{ url: `javascript:${attack}` }],
        callbacks: { [attack]: { [attack]: { post: { summary: attack } } } },
      },
    );
    expect(all).not.toMatch(/<script|<img|<iframe|href="javascript|style=|<[^>]* on\w+=/i);
  });

  it('puts no marks of its own', () => {
    const all = shown(
      { description: '\u0001b7\u0002', properties: { '\u0001p/x\u0002': { example: '\u0001wcopy\u0002' } } },
      { summary: '\u0001b7\u0002' },
    );
    const named = all.split('\u0001').slice(1);
    expect(named.filter((mark) => !mark.startsWith('w') || mark.startsWith('wcopy\u0002'))).toEqual([]);
  });

  it('may have cycles of references, of parts and of variants', () => {
    const ref = { $ref: '#/components/schemas/A' };
    for (const schema of [
      ref,
      { allOf: [ref, ref], properties: { a: ref, b: { items: ref } } },
      { oneOf: [ref, { anyOf: [ref, ref] }], additionalProperties: ref },
      { type: 'array', items: ref },
      { prefixItems: [ref], not: ref },
    ])
      expect(shown(schema).length).toBeLessThan(2_000_000);
  });

  it('is cut where it grows without end', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`p${at}`, { $ref: `#/components/schemas/S${at}` }]),
    );
    const schemas = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`S${at}`, { type: 'object', properties: wide }]),
    );
    const all = shown({ type: 'object', properties: wide }, { schemas });
    expect(all.match(/<li class="field">/g)?.length).toBeLessThan(3500);
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`p${at}`, {}]));
    expect(shown({ properties: many })).toContain('\u0001wtooLong\u0002');
  });

  it('may be nested deeper than is shown', () => {
    let deep: SpecObject = { type: 'string' };
    for (let level = 0; level < 5000; level++) deep = { type: 'object', properties: { a: deep } };
    let example: unknown = 1;
    for (let level = 0; level < 5000; level++) example = [example];
    expect(shown(deep, { parameters: [{ name: 'a', in: 'query', example }] })).toContain('class="operation"');
    expect(shown({ default: example, examples: [example], description: '> '.repeat(5000) })).toContain(
      'class="operation"',
    );
  });

  it('may have values of any type anywhere', () => {
    const values = [null, 7, 'x', [], {}, true, [null], { a: null }, ['\ud800']];
    const names = 'summary description parameters requestBody responses callbacks security servers deprecated'.split(
      ' ',
    );
    const keywords =
      'type properties items allOf oneOf anyOf enum required discriminator additionalProperties not title format examples $ref'.split(
        ' ',
      );
    for (const value of values) {
      for (const name of names) expect(shown({}, { [name]: value })).toContain('class="operation"');
      for (const name of keywords) expect(shown({ [name]: value })).toContain('class="operation"');
      for (const name of ['paths', 'components', 'webhooks'])
        expect(() => htmlsOf({ [name]: value }, [block])).not.toThrow();
    }
  });

  it('may have halves of characters', () => {
    const half = '\ud800';
    const parameters = ['path', 'query', 'header', 'cookie'].map((place) => ({
      name: half,
      in: place,
      required: true,
      example: half,
    }));
    const all = shown({ enum: [half], properties: { [half]: {} } }, { summary: half, description: half, parameters });
    expect(all.isWellFormed()).toBe(true);
    const models = { ...block, shown: { type: 'schemas' as const, schemas: [half], grouped: false } };
    expect(htmlsOf({ components: { schemas: { [half]: {} } } }, [models])[0]).toContain('class="models"');
  });

  it('may use names of objects', () => {
    const properties = JSON.parse('{"__proto__": {"type": "string"}, "constructor": {"type": "string"}}');
    expect(shown({ type: 'object', properties })).toContain('<code class="field-name">__proto__</code>');
  });
});
