import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRecording } from '../test/upgrade/baseline.js';
import { builtRelease } from '../test/upgrade/former-release.js';
import { benchSettings, type Case, chooseCases, prepareCases, sendLoad } from './cases.js';
import { median } from './median.js';
import { cpuMicros, type Running, start } from './processes.js';

/**
 * Compares the processor time of a request with that of the last release, in turns in the same run, and fails where more than a tenth was
 * lost. Each round is a pair, so what the machine does beside meets both; a loss is one that the least and the median of all rounds show.
 */
const compared = ['point read', 'list of 50', 'write'];
const maxLoss = 1.1;
const rounds = 7;
const seconds = 1;

interface Measured {
  running: Running;
  cases: Case[];
}

async function open(program: string, dataDir: string): Promise<Measured> {
  const running = await start(program, { ...benchSettings, DATA_DIR: dataDir });
  const cases = await prepareCases(running);
  return { running, cases: compared.flatMap((name) => chooseCases(cases, [name]).slice(0, 1)) };
}

async function costOf({ running, cases }: Measured, at: number): Promise<number> {
  const { pid } = running.process;
  const before = cpuMicros(pid as number);
  const { requests } = await sendLoad(running.url, cases[at] as Case, seconds);
  return (cpuMicros(pid as number) - before) / requests;
}

async function compareCase(own: Measured, former: Measured, at: number): Promise<boolean> {
  for (const each of [own, former]) await costOf(each, at);
  const pairs: Record<'own' | 'former', number>[] = [];
  for (let round = 0; round < rounds; round++)
    pairs.push({ own: await costOf(own, at), former: await costOf(former, at) });
  const least = (which: 'own' | 'former') => Math.min(...pairs.map((pair) => pair[which]));
  const ratios = [least('own') / least('former'), median(pairs.map((pair) => pair.own / pair.former))];
  const isLost = Math.min(...ratios) > maxLoss;
  const [byLeast, byMedian] = ratios.map((ratio) => ratio.toFixed(2));
  const cost = `${Math.round(least('own'))} µs, ${Math.round(least('former'))} µs in the last release`;
  process.stdout.write(
    `${isLost ? 'LOST' : 'ok  '} ${compared[at]?.padEnd(12)} ${byLeast} (least), ${byMedian} (median): ${cost}\n`,
  );
  return !isLost;
}

const folder = await mkdtemp(join(tmpdir(), 'bindery-compare-'));
const former = await open(await builtRelease(readRecording().commit), join(folder, 'former'));
const own = await open('services/main.js', join(folder, 'own'));
const results: boolean[] = [];
for (const at of compared.keys()) results.push(await compareCase(own, former, at));
await Promise.all([own.running.stop(), former.running.stop()]);
await rm(folder, { recursive: true, force: true });
process.exit(results.every(Boolean) ? 0 : 1);
