import { eventually } from '../../shared/testing/eventually.js';
import { openRepositories, type Repositories } from '../support/repository.js';
import { Installation, type Writer } from './kills/installation.js';
import { exportJob, gitImportJob, specificationJob, websiteImportJob } from './kills/jobs.js';
import { auditedWriter, commentWriter, contentWriter, eventWriter, keyedWriter } from './kills/writers.js';

/** How often the server is killed; more on request. */
const kills = Number(process.env.KILLS ?? 3);
/** What every writer has acknowledged at least between two kills. */
const between = 12;

let installation: Installation;
let repositories: Repositories;
let comments: Awaited<ReturnType<typeof commentWriter>>;
let website: Awaited<ReturnType<typeof websiteImportJob>>;
let exports: Awaited<ReturnType<typeof exportJob>>;
beforeAll(async () => {
  repositories = await openRepositories();
  installation = await Installation.start();
  comments = await commentWriter(installation);
  website = await websiteImportJob(installation.client);
  exports = await exportJob(installation.client);
});
afterAll(async () => {
  await installation.close();
  website.close();
  await Promise.all([comments.close(), exports.close(), repositories.close()]);
});

it('a server that is killed again and again has every acknowledged write once, and ends the work that it had begun', async () => {
  const { client } = installation;
  const writers: Record<string, Writer> = {
    comments,
    audited: await auditedWriter(installation),
    keyed: await keyedWriter(installation),
    content: await contentWriter(installation),
    events: await eventWriter(installation),
  };
  // Those that are under way for certain first, those that may end on their way last.
  const jobs = [exports, website, await gitImportJob(client, repositories), await specificationJob(client)];
  const writing = Promise.all(Object.values(writers).map((writer) => writer.write()));
  let killed = 0;
  for (let round = 1; round <= kills; round++) {
    installation.wake();
    const before = Object.values(writers).map((writer) => writer.count());
    const grown = () =>
      Object.entries(writers).map(([name, writer], at) => [name, writer.count() - Number(before[at])]);
    await eventually('writes', grown, (all) => all.every(([, more]) => Number(more) >= between));
    for (const job of jobs) await job.begin(round);
    killed += comments.killRuntimes();
    await installation.killAndStart();
    installation.rest();
    for (const job of jobs) await job.check(round);
  }
  installation.end();
  await writing;
  expect(installation.surprises).toEqual([]);
  expect(killed).toBeGreaterThan(0);
  for (const writer of Object.values(writers)) await writer.check();
});
