import type { Job } from '../../../shared/jobs/jobs.js';
import { type Collection, write } from '../../../shared/store/port.js';
import { openCatalogue } from '../catalogue/testing/integrations-store.js';
import { events, lanes } from '../deliveries/queue/model.js';
import { contentInstallations, installations } from '../installations/model.js';
import { removePublicationJob } from './remove-publication-job.js';

let deps: Awaited<ReturnType<typeof openCatalogue>>;
beforeEach(async () => {
  deps = await openCatalogue();
});
afterEach(() => deps.close());

const all = [installations, contentInstallations, events] as unknown as Collection<{
  _id: string;
  publication: string;
}>[];
const { signal } = new AbortController();

/** So many of everything that hangs on a publication. */
async function filled(publication: string, count: number): Promise<string> {
  const { id } = await deps.blobs.put(Buffer.from(publication));
  for (let at = 0; at < count; at += 100)
    await deps.store.batch(
      Array.from({ length: Math.min(100, count - at) }, (_, index) => {
        const document = { _id: `${publication} ${at + index}`, publication, organization: `${at + index}` };
        const lane = write.insert(lanes, { _id: document._id, last: 1 });
        return write.all([lane, ...all.map((each) => write.insert(each, document))]);
      }),
    );
  await deps.store.insert(lanes, { _id: publication, last: 1 });
  return id;
}

const left = async (publication: string) =>
  Promise.all([
    ...all.map((each) => deps.store.count(each, { publication })),
    deps.store.count(lanes, { _id: { $gte: publication, $lt: `${publication}~` } }),
  ]);

it('removes all that hangs on a publication, and nothing of others', async () => {
  const blob = await filled('gone', 1203);
  const other = await filled('kept', 12);
  const job = { payload: { publication: 'gone', blobs: [blob] } } as unknown as Job<never>;
  for (let times = 0; times < 2; times++) await removePublicationJob(deps).run({ job, signal });
  expect([await left('gone'), await left('kept')]).toEqual([
    [0, 0, 0, 0],
    [12, 12, 12, 13],
  ]);
  expect([await deps.blobs.size(blob), await deps.blobs.size(other)]).toEqual([null, 4]);
});
