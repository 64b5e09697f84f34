import fc from 'fast-check';
import { expectLinear } from '../../../../../shared/testing/processor-time.js';
import { runs } from '../../../../../shared/testing/runs.js';
import { readYaml } from '../yaml.js';
import { parseSpaceConfig, parseTags, parseVariables } from './space-config.js';

fc.configureGlobal({ numRuns: runs(100) });

const defaults = { root: '', readme: 'README.md', summary: 'SUMMARY.md', redirects: new Map() };

describe('parseSpaceConfig', () => {
  test.each([undefined, '', '\n# nothing\n', '---\n', 'null'])('has defaults for %j', (yaml) => {
    expect(parseSpaceConfig(yaml)).toEqual(defaults);
  });

  test('reads root, structure and redirects', () => {
    const config = parseSpaceConfig(
      'root: ./docs/\nstructure:\n  readme: ./intro.md\n  summary: toc/SUMMARY.md\nredirects:\n  old/page: new.md\n  /help/: ./a/b.md#x\n  404: gone.md\n',
    );
    expect(config).toEqual({
      root: 'docs',
      readme: 'intro.md',
      summary: 'toc/SUMMARY.md',
      redirects: new Map([
        ['404', 'gone.md'],
        ['old/page', 'new.md'],
        ['help', 'a/b.md#x'],
      ]),
    });
  });

  test('the last of repeated redirects counts', () => {
    const { redirects, problem } = parseSpaceConfig('redirects:\n  a: one.md\n  a: two.md\n');
    expect(redirects).toEqual(new Map([['a', 'two.md']]));
    expect(problem).toBeUndefined();
  });

  test('reports invalid YAML and uses the defaults', () => {
    expect(parseSpaceConfig('root: [a\n')).toEqual({ ...defaults, problem: expect.stringMatching(/line 2/) });
    expect(parseSpaceConfig('- a\n')).toEqual({ ...defaults, problem: '.gitbook.yaml is not a map' });
  });

  test('refuses paths out of the space and keeps the rest', () => {
    const config = parseSpaceConfig(
      'root: ../other\nstructure:\n  summary: a/../../S.md\nredirects:\n  a: ../x.md\n  b: c.md\n',
    );
    expect(config).toEqual({
      ...defaults,
      redirects: new Map([['b', 'c.md']]),
      problem: expect.stringMatching(/root.*structure\.summary.*redirects.*: a$/),
    });
  });

  test('bounds what a hostile file can cost', () => {
    let bomb = 'a0: &a0 [x, x, x, x, x, x, x, x, x]\n';
    for (let at = 1; at < 12; at++)
      bomb += `a${at}: &a${at} [${Array(9)
        .fill(`*a${at - 1}`)
        .join(', ')}]\n`;
    expect(parseSpaceConfig(bomb).problem).toBeDefined();
    expect(parseSpaceConfig('x'.repeat(2 << 20)).problem).toMatch(/512 KiB/);
    expectLinear((depth) => expect(parseSpaceConfig('['.repeat(depth)).problem).toBeDefined(), 2000);
  });

  test('never throws', () => {
    const lines = fc.array(
      fc.oneof(
        fc.constantFrom('root: docs', 'structure:', '  readme: &a x', 'redirects: *a', '  a: b.md', '? [a]', '<<: 1'),
        fc.string(),
      ),
    );
    fc.assert(fc.property(lines, (all) => parseSpaceConfig(all.join('\n')).summary !== ''));
  });
});

describe('parseVariables', () => {
  test('reads texts, numbers and booleans', () => {
    expect(parseVariables('version: "1.10"\nport: 8080\nbeta: true\n名前: x\n')).toEqual({
      variables: { version: '1.10', port: 8080, beta: true, 名前: 'x' },
    });
    expect(parseVariables(undefined)).toEqual({ variables: {} });
  });

  test('leaves out and names values that cannot be variables', () => {
    const { variables, problem } = parseVariables(
      `ok: 1\nlist: [1]\na.b: 2\n__proto__: {x: 1}\nlong: ${'x'.repeat(257)}\n`,
    );
    expect(variables).toEqual({ ok: 1 });
    expect(problem).toBe('cannot be variables: list, a.b, __proto__, long');
  });
});

test('parseTags reads the list and leaves out entries without a tag', () => {
  expect(
    parseTags('- tag: new\n  label: New\n  icon: star\n  color: green\n- tag: 2.5\n- label: x\n- tag: new\n'),
  ).toEqual({
    tags: [
      { tag: 'new', label: 'New', icon: 'star', color: 'green' },
      { tag: '2.5', label: '2.5' },
    ],
    problem: 'entries without a tag: 1',
  });
  expect(parseTags('tag: x').problem).toBeDefined();
  expect(parseTags(undefined)).toEqual({ tags: [] });
});

test('readYaml keeps a prototype out of the data', () => {
  const { value } = readYaml('__proto__:\n  polluted: true\n');
  expect(Object.keys(value as object)).toEqual(['__proto__']);
  expect('polluted' in {}).toBe(false);
});

describe('a hostile configuration file', () => {
  const config = (entries: string[]) => parseSpaceConfig(`redirects:\n${entries.join('\n')}\n`);

  it('keeps at most 10,000 redirects', () => {
    const { redirects, problem } = config(Array.from({ length: 10_001 }, (_, at) => `  a${at}: b.md`));
    expect(redirects.size).toBe(10_000);
    expect(problem).toMatch(/^more than 10000 redirects/);
  });

  it('keeps at most a million characters of redirects, however short their source is', () => {
    const entries = Array.from({ length: 2000 }, (_, at) => `  a${at}: *x`);
    const { redirects, problem } = config([`  first: &x ${'b'.repeat(2000)}`, ...entries]);
    expect(redirects.size).toBeLessThan(520);
    expect(problem).toBeDefined();
  });

  it('keeps at most 500 tags', () => {
    const { tags, problem } = parseTags(Array.from({ length: 501 }, (_, at) => `- tag: t${at}`).join('\n'));
    expect([tags.length, problem]).toEqual([500, 'more than 500 tags; the rest is left out']);
  });
});
