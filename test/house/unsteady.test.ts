import { existsSync, readFileSync } from 'node:fs';
import { packageFile } from '../../shared/package-root.js';

interface Unsteady {
  file: string;
  tests: string[];
  seen: string;
}

const listIn = (path: string): Unsteady[] => JSON.parse(readFileSync(path, 'utf8'));

describe('test/unsteady.json', () => {
  const list = listIn(packageFile('test/unsteady.json'));

  it('has no test twice: the second time, its cause is mended', () => {
    const names = list.flatMap(({ file, tests }) => tests.map((test) => `${file}: ${test}`));
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it('names files that exist', () => {
    expect(list.filter(({ file }) => !existsSync(packageFile(file)))).toEqual([]);
  });
});
