import { existsSync } from 'node:fs';
import { packageFile } from '../../../shared/process/package-root.js';
import { environmentProblems, imageEnvironment, textOf, version } from './files.js';

const dockerfile = textOf('deploy/Dockerfile');
const valuesOf = (instruction: string) =>
  [...dockerfile.matchAll(new RegExp(`^${instruction} (.+)$`, 'gm'))].map(([, value = '']) => value);

/** The files and folders of the repository that the image is made of. */
const copied = valuesOf('COPY')
  .filter((line) => !line.startsWith('--from'))
  .flatMap((line) => line.split(' ').slice(0, -1))
  .map((path) => path.replace('./', ''));

describe('the image', () => {
  it('is made of files that exist and that the context of the build has', () => {
    const context = textOf('.dockerignore')
      .match(/^!.+$/gm)
      ?.map((line) => line.slice(1));
    expect(copied.filter((path) => !existsSync(packageFile(path)))).toEqual([]);
    expect([...new Set(copied)].sort()).toEqual(context?.sort());
  });

  it('is built by the engine as it is: a syntax of another frontend would be asked of a registry', () => {
    expect(dockerfile).not.toMatch(/^#\s*syntax\s*=/im);
  });

  it('has settings that Bindery knows, and exposes their ports', () => {
    expect(environmentProblems({})).toEqual([]);
    expect(valuesOf('EXPOSE')).toEqual([`${imageEnvironment.PORT} ${imageEnvironment.METRICS_PORT}`]);
    expect(valuesOf('VOLUME')).toEqual([imageEnvironment.DATA_DIR]);
  });

  it('is healthy when it takes requests, not before its services have started', () => {
    expect(dockerfile).toMatch(/^HEALTHCHECK .+\n.+METRICS_PORT\}\/readyz`/m);
  });

  it('starts the same program in the same way as `npm run serve`', () => {
    const [entry = [], command = []] = ['ENTRYPOINT', 'CMD'].map(
      (name) => JSON.parse(valuesOf(name).at(-1) ?? '') as string[],
    );
    const own = entry.indexOf('--') + 1;
    expect(entry.slice(0, own)).toEqual(['tini', '-e', '143', '--']);
    expect(JSON.parse(textOf('package.json')).scripts.serve).toBe(
      `exec ${[...entry.slice(own), ...command].join(' ')}`,
    );
    const source = command[0]?.replace(/^dist\/(.+)\.js$/, '$1.ts') ?? '';
    expect(existsSync(packageFile(source))).toBe(true);
  });

  it('is labelled and named with the version of the package, and runs as a user with a number', () => {
    expect(dockerfile).toContain(`org.opencontainers.image.version="${version}"`);
    expect([...dockerfile.matchAll(/bindery:(\d+\.\d+\.\d+)/g)].every(([, tag]) => tag === version)).toBe(true);
    expect(valuesOf('USER')).toEqual(['1000:1000']);
  });
});
