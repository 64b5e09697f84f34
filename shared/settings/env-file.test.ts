import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadEnvFile } from './env-file.js';

describe('the file .env', () => {
  const before = process.cwd();
  let folder: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'bindery-env-')));
    process.chdir(folder);
  });
  afterEach(async () => {
    process.chdir(before);
    for (const name of Object.keys(process.env)) if (name.startsWith('ENV_FILE_TEST')) delete process.env[name];
    await rm(folder, { recursive: true });
  });

  it('sets what the environment does not set', async () => {
    process.env.ENV_FILE_TEST_GIVEN = 'environment';
    process.env.ENV_FILE_TEST_EMPTY = '';
    await writeFile(
      '.env',
      '# settings\nENV_FILE_TEST_GIVEN=file\nENV_FILE_TEST_EMPTY=file\nexport ENV_FILE_TEST_NEW="a\nb"\n\n',
    );
    loadEnvFile();
    expect(process.env).toMatchObject({
      ENV_FILE_TEST_GIVEN: 'environment',
      ENV_FILE_TEST_EMPTY: '',
      ENV_FILE_TEST_NEW: 'a\nb',
    });
  });

  it('is optional', () => {
    expect(loadEnvFile).not.toThrow();
  });

  it.each([
    ['A=1\n\nnot a setting\nB=2\n', 'line 3'],
    ['A="two\nlines"\nlast words', 'line 3'],
    ['two words=1\n', 'line 1'],
    ['A=1 # one\n  # two\nB="#\n=" # three\n=C', 'line 5'],
  ])('names the invalid line of %j, without its text', async (text, line) => {
    await writeFile('.env', text);
    expect(loadEnvFile).toThrow(`${join(folder, '.env')}: ${line} is not NAME=value`);
  });

  it('is named when it cannot be read', async () => {
    await mkdir('.env');
    expect(loadEnvFile).toThrow(`${join(folder, '.env')}: cannot be read (EISDIR)`);
  });
});
