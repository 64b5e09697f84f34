import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { packageFile } from '../../shared/process/package-root.js';
import { addedLines, applyDiff, follow, type Snippet, snippetsOf } from './guide.js';

const run = promisify(execFile);
const copied = [
  ...['services', 'shared', 'test', 'bench', 'docs', 'dist', '.gitignore', '.dependency-cruiser.cjs'],
  ...['package.json', 'tsconfig.json', 'tsconfig.build.json', 'jest.config.js', 'biome.json'],
  ...['docker-compose.yml', 'deploy', 'k8s'],
];
const jest = '--experimental-vm-modules --disable-warning=ExperimentalWarning node_modules/jest/bin/jest.js';
const operations = /bookmark|statistics/;
const followed = ['add-a-service', 'add-an-operation', 'add-a-screen'];

const guideOf = async (name: string): Promise<Snippet[]> =>
  snippetsOf(await readFile(packageFile(`docs/contributing/${name}.md`), 'utf8'));

/** A copy of the sources and of what is built of them, so that building it again compiles only what the guides change. */
async function copyOfSources(): Promise<string> {
  const copy = await realpath(await mkdtemp(join(tmpdir(), 'bindery-guides-')));
  const packages = await realpath(packageFile('node_modules'));
  for (const name of copied)
    if (existsSync(packageFile(name))) await cp(packageFile(name), join(copy, name), { recursive: true });
  await symlink(packages, join(copy, 'node_modules'));
  const buildInfo = join(copy, 'dist/.tsbuildinfo');
  if (existsSync(buildInfo)) {
    const moved = `"${relative(join(copy, 'dist'), packages)}/`;
    await writeFile(buildInfo, (await readFile(buildInfo, 'utf8')).replaceAll('"../node_modules/', moved));
  }
  return copy;
}

describe('the guides to an operation, a service and a screen', () => {
  let copy: string;
  let snippets: Snippet[];
  const inCopy = async (script: string, ...args: string[]) => {
    const { PATH, HOME } = process.env;
    const options = { cwd: copy, env: { PATH, HOME }, maxBuffer: 16 * 1024 ** 2 };
    await run(process.execPath, [...script.split(' '), ...args], options).catch(({ message, stdout }) => {
      throw new Error(`${message}\n${stdout}`);
    });
  };

  beforeAll(async () => {
    copy = await copyOfSources();
    snippets = (await Promise.all(followed.map(guideOf))).flat();
    await follow(snippets, copy);
    await inCopy('node_modules/typescript/bin/tsc', '--project', 'tsconfig.build.json');
  });
  afterAll(() => rm(copy, { recursive: true, force: true }));

  it('lead to code that follows the rules of the house', async () => {
    const made = snippets.filter(({ language }) => language.startsWith('ts')).map(({ path }) => path);
    await inCopy('node_modules/@biomejs/biome/bin/biome', 'check', ...made);
    await inCopy('node_modules/dependency-cruiser/bin/dependency-cruise.mjs', 'services', 'shared');
  });

  it('lead to a service that the files for operators start', async () => {
    const tests = ['compose', 'kubernetes', 'monitoring'].map((name) => `test/house/deploy/${name}.test.ts`);
    await inCopy(jest, '--selectProjects', 'house', '--', ...tests);
  });

  it('lead to operations that pass their own tests and those of every operation', async () => {
    const report = join(copy, 'report.json');
    const tests = [
      'test/contract/openapi.test.ts',
      ...['content', 'sites'].map((name) => `test/contract/access/${name}.test.ts`),
    ];
    const own = snippets.map(({ path }) => path).filter((path) => path.startsWith('test/e2e/'));
    const chosen = ['--testNamePattern', operations.source, '--json', '--outputFile', report, '--runInBand'];
    await inCopy(jest, ...chosen, '--selectProjects', 'e2e', 'contract', '--', ...own, ...tests);
    const { testResults } = JSON.parse(await readFile(report, 'utf8')) as {
      testResults: { name: string; assertionResults: { status: string }[] }[];
    };
    const passed = testResults
      .filter(({ assertionResults }) => assertionResults.some(({ status }) => status === 'passed'))
      .map(({ name }) => relative(copy, name));
    expect(passed.sort()).toEqual([...own, ...tests].sort());
  });
});

it('a new GET takes at most four files and thirty lines, besides its test', async () => {
  const code = (await guideOf('add-an-operation')).filter(({ path }) => !path.startsWith('test/'));
  expect(code.length).toBeLessThanOrEqual(4);
  expect(code.flatMap(addedLines).length).toBeLessThanOrEqual(30);
});

describe('a diff of a guide', () => {
  const source = 'import a from "a";\n\nconst list = [\n  1,\n];\nend();\n';

  it('adds, replaces and takes away lines', () => {
    const diff = '+import b from "b";\n@@\n const list = [\n+  0,\n@@\n-end();\n+stop();\n';
    expect(applyDiff(source, diff)).toBe(
      'import b from "b";\nimport a from "a";\n\nconst list = [\n  0,\n  1,\n];\nstop();\n',
    );
  });

  it.each(['-gone();\n+here();\n', '+nowhere();\n', ' \n+twice();\n'])('is refused without one place: %j', (diff) => {
    expect(() => applyDiff(`${source}\n`, diff)).toThrow('exactly one place');
  });
});
