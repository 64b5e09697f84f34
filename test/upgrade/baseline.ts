import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { packageFile } from '../../shared/process/package-root.js';
import type { Asker, RecordedAnswer } from './answers.js';
import type { Contract } from './contract/declared.js';

const run = promisify(execFile);
const fileOf = (name: string) => packageFile(`test/upgrade/baseline/${name}`);

/** What the last release answered, and what one needs to ask again. */
export interface Recording {
  /** The commit that was recorded: the product is as it left it. */
  commit: string;
  version: string;
  /** When its server stopped, in epoch milliseconds. */
  at: number;
  /** The port of its server: in addresses that it stored. */
  port: number;
  tokens: Record<Asker, string>;
  organization: string;
  /** In which everything can be read and nothing of the recorded answers be changed. */
  member: { id: string; email: string };
  /** A space whose import its server was killed in. */
  importing: string;
  /** A space with a comment, of which an event that nobody has received says that it was deleted. */
  deleted: string;
  answers: RecordedAnswer[];
}

const readJson = <T>(name: string): T => JSON.parse(gunzipSync(readFileSync(fileOf(name))).toString()) as T;
const writeJson = (name: string, value: unknown) =>
  writeFileSync(fileOf(name), gzipSync(JSON.stringify(value), { level: 9 }));

export const readRecording = () => readJson<Recording>('answers.json.gz');
export const writeRecording = (recording: Recording) => writeJson('answers.json.gz', recording);

export const readContract = () => readJson<Contract>('contract.json.gz');
export const writeContract = (contract: Contract) => writeJson('contract.json.gz', contract);

/** Unpacks the `DATA_DIR` of the last release. */
export const unpackData = (folder: string) => run('tar', ['-xzf', fileOf('data.tar.gz'), '-C', folder]);

/** Packs a `DATA_DIR`, without what is only a cache and without events of visitors. */
export const packData = (folder: string, names: string[]) =>
  run('tar', [
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '-czf',
    fileOf('data.tar.gz'),
    '-C',
    folder,
    ...names,
  ]);
