import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { packageFile } from '../../shared/process/package-root.js';
// @ts-expect-error It is plain JavaScript, which the runner and jest's configuration read.
import { guarded, inTurn } from '../turns.js';

interface Unsteady {
  file: string;
  tests: string[];
  seen: string;
}

const listIn = (path: string): Unsteady[] => JSON.parse(readFileSync(path, 'utf8'));

describe('test/unsteady.json', () => {
  const list = listIn(packageFile('test/unsteady.json'));

  it('has no test twice: the second time, its cause is mended', () => {
    const names = list.flatMap(({ file, tests }) =>
      // None where the file could not be loaded.
      tests.length > 0 ? tests.map((test) => `${file}: ${test}`) : [file],
    );
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it('names files that exist', () => {
    expect(list.filter(({ file }) => !existsSync(packageFile(file)))).toEqual([]);
  });
});

it('what takes turns exists', () => {
  // The newcomer's walk is no test of jest.
  const gone = (inTurn as string[]).filter(
    (path) => !existsSync(packageFile(`${path}.test.ts`)) && !existsSync(packageFile(`${path}.ts`)),
  );
  expect(gone).toEqual([]);
});

it('what brings a test out of its turn exists, and so does the test', async () => {
  const { stdout } = await promisify(execFile)('git', ['ls-files'], { cwd: packageFile('.'), maxBuffer: 1 << 24 });
  const files = stdout.split('\n');
  const idle = (guarded as [RegExp, RegExp][]).filter(
    ([change, test]) =>
      !files.some((file) => change.test(file)) || !(inTurn as string[]).some((path) => test.test(path)),
  );
  expect(idle).toEqual([]);
});

it('a list of the tests that would run is printed', async () => {
  const options = ['--projects=house', '--listTests', 'test/house/runner'];
  const { stdout } = await promisify(execFile)(process.execPath, [packageFile('test/run.js'), ...options]);
  expect(stdout.trim().split('\n').at(-1)).toBe(packageFile('test/house/runner.test.ts'));
});
