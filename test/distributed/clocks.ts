import { pathToFileURL } from 'node:url';
import type { Outbox, OutboxOptions } from '../../shared/jobs/outbox.js';
import { packageFile } from '../../shared/process/package-root.js';
import { eventually } from '../../shared/testing/eventually.js';
import type { StartedServer } from '../support/server.js';

const imported = (module: string) => ({ NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(module)}` });

const later = 'a second later';

/** For a process whose clock of durations, by which caches expire, takes a thousand times as long as the tests do: `aSecondLater` moves it. */
export const slowClock = imported(`
  const real = performance.now.bind(performance);
  let ahead = 0;
  performance.now = () => real() / 1000 + ahead;
  process.on('SIGUSR2', () => {
    ahead += 1000;
    // Caches read the clock every 20 ms.
    setTimeout(() => console.log(JSON.stringify({ msg: '${later}' })), 50);
  });`);

/** Moves the slow clock of a process on by a second. */
export async function aSecondLater(server: StartedServer): Promise<void> {
  const moves = () => server.output().split(later).length;
  const before = moves();
  server.process.kill('SIGUSR2');
  await eventually('the clock of a process that moves on', moves, (now) => now > before);
}

const start = 'start' satisfies keyof Outbox;
const exclusive = 'exclusive' satisfies keyof OutboxOptions;

const withOutboxes = (changed: string) =>
  imported(`
  import { Outbox } from '${pathToFileURL(packageFile('dist/shared/jobs/outbox.js'))}';
  const start = Outbox.prototype.${start};
  Outbox.prototype.${start} = ${changed};`);

/** For a process whose outboxes never poll: an event goes out only because its writer wakes them. */
export const withoutPolls = withOutboxes(`function () {
    Object.assign(this.options, { ${exclusive}: true });
    start.call(this);
  }`);

/** For a process whose outboxes tell nobody anything. */
export const silentOutboxes = withOutboxes('() => {}');
