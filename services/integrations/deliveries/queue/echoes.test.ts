import { stillClock } from '../../../../shared/testing/still-clock.js';
import { newIntegration, openInstallations, stored } from '../../installations/testing/installations-store.js';
import { afterAttempt } from '../attempts/attempts.js';
import { type EventDocument, events, lanes } from './model.js';
import { type NewEvent, queueEvents } from './queue.js';

stillClock();

let opened: Awaited<ReturnType<typeof openInstallations>>;
let about: Pick<NewEvent, 'integration' | 'installation' | 'organization' | 'type' | 'data'>;
beforeEach(async () => {
  opened = await openInstallations();
  const integration = newIntegration(opened.deps);
  const { _id: installation } = await stored(opened.deps, integration);
  about = { integration, installation, organization: 'acme', type: 'space_content_updated', data: {} };
});
afterEach(() => opened.close());

const queue = async (count: number, isEcho: boolean, prefix: string): Promise<EventDocument[]> => {
  const { store } = opened.deps;
  const added = Array.from({ length: count }, (_, at) => ({ ...about, isEcho, id: `${prefix}-${at}` }));
  await store.batch(await queueEvents(opened.deps, added));
  return store.getMany(
    events,
    added.map(({ id }) => id),
  );
};

/** Seconds until each is due; 0 for those that take their turn, nothing for those that are not sent. */
const seconds = (documents: EventDocument[]) =>
  documents.map(({ lane, runAt }) =>
    lane === undefined ? undefined : runAt === undefined ? 0 : Math.round((Date.parse(runAt) - Date.now()) / 1000),
  );

describe('events that an installation causes itself', () => {
  it('come at once, then one by one, and are left out where too many wait', async () => {
    const echoes = await queue(400, true, 'echo');
    expect(seconds(echoes.slice(0, 23))).toEqual([...Array.from({ length: 20 }, () => 0), 10, 20, 30]);
    expect(seconds(echoes.slice(379))).toEqual([3600, ...Array.from({ length: 20 }, () => undefined)]);
    expect(echoes[399]).toMatchObject({
      result: 'dead',
      logs: [{ level: 'warn', message: expect.stringMatching(/^not sent: this/) }],
    });
  });

  it('hold up no event that others cause, and none of other installations', async () => {
    await queue(400, true, 'echo');
    expect(seconds(await queue(30, false, 'own'))).toEqual(Array.from({ length: 30 }, () => 0));
    const other = { ...newIntegration(opened.deps), _id: 'other' };
    const { _id: installation } = await stored(opened.deps, other);
    about = { ...about, integration: other, installation };
    expect(seconds(await queue(1, true, 'other'))).toEqual([0]);
  });

  it('come at once again after a pause, also after some were left out', async () => {
    await queue(400, true, 'echo');
    jest.advanceTimersByTime(3_600_000);
    expect(seconds(await queue(1, true, 'late'))).toEqual([10]);
    jest.advanceTimersByTime(210_000);
    expect(seconds(await queue(21, true, 'later'))).toEqual([...Array.from({ length: 20 }, () => 0), 10]);
    expect((await opened.deps.store.get(lanes, about.installation as string))?.echoesUntil).toBe(Date.now() + 210_000);
  });

  it('say why they were late', async () => {
    const event = (await queue(21, true, 'echo'))[20] as EventDocument;
    const { update } = afterAttempt(event, { status: 200, logs: [] }, { format: 'v2' });
    expect(update.$set?.logs).toEqual([expect.objectContaining({ message: expect.stringMatching(/^delayed: /) })]);
  });
});
