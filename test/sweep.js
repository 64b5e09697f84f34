/**
 * Waits until its standard input ends, which it does however the run of the tests ends; then kills what that run has started and left, and
 * removes its folder: `node test/sweep.js <folder>`. A process belongs to the run when it has BINDERY_TEST_RUN in its environment, has to do with the
 * folder, or descends from one that does.
 *
 * Meanwhile it ends each of them that takes more memory than a test may (`TEST_MOST_BYTES`): a machine without memory stands still, and says nothing
 * of the test that did it.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const folder = process.argv[2];
const pauseMs = 100;
const lookMs = 5_000;
const mostBytes = Number(process.env.TEST_MOST_BYTES ?? 8e9);

const read = (look) => {
  try {
    return look();
  } catch {
    // It has ended, or is not ours.
    return '';
  }
};

/** The processes of this machine; none where there is no /proc. */
const processes = () =>
  read(() => readdirSync('/proc'))
    .filter?.((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => ({
      pid: Number(pid),
      parent: Number(
        read(() => readFileSync(`/proc/${pid}/stat`, 'latin1'))
          .split(') ')[1]
          ?.split(' ')[1],
      ),
      isMarked:
        read(() => readFileSync(`/proc/${pid}/environ`, 'latin1')).includes(`BINDERY_TEST_RUN=${folder}\0`) ||
        read(() => readFileSync(`/proc/${pid}/cmdline`, 'latin1')).includes(folder) ||
        read(() => readlinkSync(`/proc/${pid}/cwd`)).startsWith(folder),
    })) ?? [];

function processesOfRun() {
  const all = processes();
  const found = new Set(all.filter(({ isMarked }) => isMarked).map(({ pid }) => pid));
  // A descendant can come before its parent in the list.
  for (let size = -1; size < found.size; ) {
    size = found.size;
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid);
  }
  return [...found];
}

/** The disks that tests have mounted in the folder, the last one first: nothing removes what lies under one. */
const mounts = () =>
  read(() => readFileSync('/proc/self/mounts', 'utf8'))
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((path) => path.startsWith(`${folder}/`))
    .reverse();

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function endLarge() {
  for (const pid of processesOfRun()) {
    const [, kilobytes = 0] =
      /^VmRSS:\s+(\d+) kB/m.exec(read(() => readFileSync(`/proc/${pid}/status`, 'latin1'))) ?? [];
    const bytes = kilobytes * 1024;
    if (bytes <= mostBytes) continue;
    const command = read(() => readFileSync(`/proc/${pid}/cmdline`, 'latin1')).replaceAll('\0', ' ');
    console.error(`ENDED: a process of the tests had ${Math.round(bytes / 1e6)} MB of memory: ${command}`);
    kill(pid);
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
setInterval(endLarge, lookMs).unref();
for await (const _ of process.stdin);
for (let pids = processesOfRun(); pids.length > 0; pids = processesOfRun()) {
  for (const pid of pids) kill(pid);
  await pause(pauseMs);
}
for (const mount of mounts()) spawnSync('umount', ['--lazy', mount]);
// Few: each level of folders tries again all that lies under it.
await rm(folder, { recursive: true, force: true, maxRetries: 2 });
