import type { Context } from '../../../../shared/contract/service.js';
import { type IntegrationDocument, integrations } from '../../catalogue/model.js';
import { openLanes } from '../attempts/testing/lanes.js';
import { events } from '../queue/model.js';
import { eventHandlers, waitingTasks } from './event-handlers.js';

let lanes: Awaited<ReturnType<typeof openLanes>>;
beforeAll(async () => {
  lanes = await openLanes();
  for (const [_id, organization] of Object.entries({ one: 'acme', two: 'acme', other: 'else' }))
    await lanes.store.insert(integrations, { _id, publication: `p-${_id}`, organization } as IntegrationDocument);
});
afterAll(() => lanes.close());

it('the tasks of all integrations of an organization that wait have one bound', async () => {
  const { queueIntegrationTask } = eventHandlers(lanes.deps);
  const queue = (integrationName: string) =>
    queueIntegrationTask(
      { path: { integrationName }, query: {}, body: { task: { type: 'sync' }, schedule: 3600 } },
      {} as Context,
    );
  await queue('one');
  const [share] = (await lanes.store.page(lanes.jobs, { filter: {}, sort: {}, limit: 1 })).items.map(
    (job) => job.share,
  );
  const waiting = Array.from({ length: 9_998 }, (_, at) => ({ _id: `waiting ${at}`, share, state: 'queued' }) as never);
  await lanes.store.insertMany(lanes.jobs, waiting);
  await queue('two');
  for (const name of ['one', 'two'])
    await expect(queue(name)).rejects.toMatchObject({ code: 429, message: expect.stringContaining('10,000 tasks') });
  await queue('other');
  expect(await lanes.store.count(events, { type: 'task' })).toBe(3);
  expect(await waitingTasks(lanes.deps, 'acme')).toMatchObject({ used: 10_000, limit: 10_000 });
});
