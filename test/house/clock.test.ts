import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../../shared/process/package-root.js';

/**
 * What decides a test is counts and order, never the clock: a busy machine must not make one fail. `bench/` measures; `shared/testing/` has the
 * comparisons of processor time that do not depend on the machine.
 */
const forbidden = {
  'a clock that is read': /\bperformance\.now\b|\bprocess\.(hrtime|cpuUsage)\b/,
  // A time that lies some minutes back is data.
  'a difference of times':
    /\bDate\.now\(\)\s*-\s*(?!\d|ms\b|\w*([mM]inutes|[hH]ours|[dD]ays|Ms)\b)[a-z]|\s-\s*(began|started)\b/,
  'a bound of time':
    /\b(processorMs|longestTurnMs)\(|expect\([^)]*(Ms\b|\bms\b|[sS]econds|took|elapsed|latency)[^)]*\)\s*\.\s*(not\.)?toBe(Less|Greater)Than/,
  'a pause of its own': /\bsetTimeout\(\s*\w+\s*,\s*[\d_]+\s*\)|\b(delay|pause|sleep|wait)\(\s*[\d_]+\s*\)/,
};

/** What still depends on the clock: the number of lines in a file. It can only shrink; each says why in its file. */
const allowed: Record<string, number> = {
  // Makes a clock that the test moves.
  'test/distributed/clocks.ts': 2,
};

const isTest = (path: string) =>
  (/^test\/.*\.ts$/.test(path) || /\.test\.ts$|\/(testing|suite)\//.test(path)) &&
  !/^shared\/testing\/|^test\/(fixtures|house\/clock)/.test(path);

const files = ['services', 'shared', 'test']
  .flatMap((folder) =>
    readdirSync(packageFile(folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter(isTest);

const found = new Map(
  files.flatMap((file) => {
    const lines = readFileSync(packageFile(file), 'utf8').split('\n');
    const clocks = lines.flatMap((line, at) => {
      const kind = Object.entries(forbidden).find(([, pattern]) => pattern.test(line))?.[0];
      return kind === undefined ? [] : [`${file}:${at + 1} has ${kind}: ${line.trim()}`];
    });
    return clocks.length > 0 ? [[file, clocks] as const] : [];
  }),
);

describe('tests', () => {
  it('are not decided by the clock', () => {
    expect(
      [...found].filter(([file, { length }]) => length > (allowed[file] ?? 0)).flatMap(([, clocks]) => clocks),
    ).toEqual([]);
  });

  it('have no exception that they no longer need', () => {
    expect(Object.entries(allowed).filter(([file, count]) => (found.get(file)?.length ?? 0) < count)).toEqual([]);
  });
});
