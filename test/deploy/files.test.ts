import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { packageFile } from '../../shared/process/package-root.js';
import { environmentProblems, textOf } from '../house/deploy/files.js';

const folder = mkdtempSync(join(tmpdir(), 'bindery-deploy-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('deploy/secrets', () => {
  const file = join(folder, 'secrets.env');
  const run = () => spawnSync(packageFile('deploy/secrets'), [file], { encoding: 'utf8' });

  it('writes secrets that only their owner can read, each time others', () => {
    const other = join(folder, 'other.env');
    expect([run().status, spawnSync(packageFile('deploy/secrets'), [other]).status]).toEqual([0, 0]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const [these, those] = [file, other].map((path) => parseEnv(readFileSync(path, 'utf8')) as Record<string, string>);
    expect(environmentProblems({ SECRET_KEY: these?.SECRET_KEY ?? '' })).toEqual([]);
    expect(Object.entries(these ?? {}).filter(([name, value]) => value.length < 40 || those?.[name] === value)).toEqual(
      [],
    );
  });

  it('never changes a file that exists', () => {
    const before = readFileSync(file, 'utf8');
    const { status, stderr } = run();
    expect([status, stderr]).toEqual([1, expect.stringContaining('exists')]);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('makes a password that the configuration of NATS takes', () => {
    const env = { ...process.env, ...parseEnv(readFileSync(file, 'utf8')) };
    const { status, stderr } = spawnSync('nats-server', ['-t', '-c', packageFile('deploy/nats/nats-server.conf')], {
      env,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, expect.stringContaining('is valid')]);
  });
});

describe('the unit of systemd', () => {
  const unit = packageFile('deploy/systemd/bindery.service');

  it('is valid, and starts the same program in the same way as `npm run serve`', () => {
    expect(execFileSync('systemd-analyze', ['verify', unit], { encoding: 'utf8', stdio: 'pipe' })).toBe('');
    const serve = JSON.parse(textOf('package.json')).scripts.serve.replace('exec ', '');
    expect(readFileSync(unit, 'utf8')).toContain(`ExecStart=/usr/bin/${serve}\n`);
  });

  it('has settings that Bindery knows and accepts', () => {
    const [, line = ''] = /^Environment=(.+)$/m.exec(readFileSync(unit, 'utf8')) ?? [];
    expect(environmentProblems(Object.fromEntries(line.split(' ').map((each) => each.split('=', 2))))).toEqual([]);
  });
});
