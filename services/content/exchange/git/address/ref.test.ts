import { spawnSync } from 'node:child_process';
import { isValidRef } from './ref.js';

const NAMES = [
  'main',
  'a/b-c_d.e',
  '頁/ü',
  'release/2.0',
  '@',
  'a@b',
  'HEAD',
  'a.lock',
  'a.lock/b',
  '.a',
  'a/.b',
  'a..b',
  'a.',
  'a/',
  '/a',
  'a//b',
  'a b',
  'a~1',
  'a^',
  'a:b',
  'a?',
  'a*',
  'a[b',
  'a\\b',
  'a@{1}',
  '-a',
  'a/-b',
  '\tb',
  'a\x7f',
  '',
];

test.each(NAMES)('judges the branch %j as git does', (name) => {
  const { status } = spawnSync('git', ['check-ref-format', '--branch', name]);
  // Outside a repository `--branch` takes `@` for HEAD.
  expect(isValidRef(`refs/heads/${name}`)).toBe(name === '@' || status === 0);
});

test.each(['main', 'refs/tags/v1', 'refs/heads', 'heads/main', ' refs/heads/main', `refs/heads/${'x'.repeat(2000)}`])(
  'refuses %s, which is no full branch ref',
  (ref) => {
    expect(isValidRef(ref)).toBe(false);
  },
);
