import { type Job, jobCollections } from '../../../shared/jobs/jobs.js';
import { timestamp } from '../../../shared/values/ids.js';
import { events } from '../deliveries/queue/model.js';
import { integrationsSubscribers } from '../subscriptions.js';
import { openFormerState, sealFormerState } from './configurations/sealed-before.js';
import { configurations, contentInstallations, type InstallationDocument, installations } from './model.js';
import { presentInstallation } from './present.js';
import { callerOfToken } from './reach/callers.js';
import { newIntegration, openInstallations, stored, storedOn } from './testing/installations-store.js';
import { removeInstallationJob } from './uninstalling.js';

let opened: Awaited<ReturnType<typeof openInstallations>>;
beforeEach(async () => {
  opened = await openInstallations();
});
afterEach(() => opened.close());

const { jobs: jobDocuments } = jobCollections('integrations');
const eventsOf = async ({ _id }: InstallationDocument) => {
  const filter = { installation: _id };
  return (await opened.deps.store.page(events, { filter, sort: { sequence: 1 }, limit: 1000 })).items;
};

describe('spaces and sites that are gone for good', () => {
  it('are installed on no more, and every integration is told once', async () => {
    const { deps } = opened;
    const [one, two] = [newIntegration(deps), newIntegration(deps, { _id: 'another' })];
    const here = [await stored(deps, one), await stored(deps, two)] as const;
    for (const [at, integration] of [one, two].entries())
      for (const target of ['gone', 'kept'])
        await storedOn(deps, integration, {
          installation: (here[at] as InstallationDocument)._id,
          kind: 'space',
          target,
          configuration: { at: target },
        });
    const { spaceDeleted, siteDeleted } = integrationsSubscribers(deps);
    const told = [{ organization: 'acme', space: 'gone' }];
    for (const again of [told, told]) await spaceDeleted(again, ['1']);
    await siteDeleted([{ organization: 'acme', site: 'kept' }], ['2']);
    for (const installation of here) {
      expect(await deps.store.get(installations, installation._id)).toMatchObject({ spaces: 1 });
      const queued = await eventsOf(installation);
      expect(queued.map(({ type, place }) => [type, place])).toEqual([
        ['space_installation_deleted', { space: 'gone' }],
      ]);
      const formerly = openFormerState(deps, queued[0]?.before ?? '');
      expect(formerly).toMatchObject({
        installation: { id: installation._id },
        spaceInstallation: { space: 'gone', configuration: { at: 'gone' } },
      });
      const caller = await callerOfToken(deps, { subject: { installation: installation._id } });
      expect(caller).toMatchObject({ spaces: ['kept'], sites: [] });
    }
    expect(await deps.store.count(contentInstallations, { target: 'gone' })).toBe(0);
    expect(await deps.store.count(configurations, {})).toBe(2);
  });
});

describe('the job of an installation that was removed', () => {
  it('removes what it was installed on in parts that fit, and tells its end last and once', async () => {
    const { deps } = opened;
    const integration = newIntegration(deps);
    const configuration = { text: 'x'.repeat(200_000) };
    const installation = await stored(deps, integration, { configuration });
    for (let at = 0; at < 12; at++)
      await storedOn(deps, integration, {
        installation: installation._id,
        kind: 'site',
        target: `${at}`,
        configuration,
      });
    const formerly = sealFormerState(deps, { installation: await presentInstallation(deps, installation) });
    await deps.store.deleteMany(installations, { _id: installation._id });
    const job = { _id: 'job', fence: '1', payload: { installation, formerly } } as unknown as Job<never>;
    await deps.store.insert(jobDocuments, { ...job, state: 'running', updatedAt: timestamp() } as never);
    const run = () => removeInstallationJob(deps).run({ job, signal: new AbortController().signal });
    await run();
    await run();
    const types = (await eventsOf(installation)).map(({ type }) => type);
    expect(types).toEqual([...Array(12).fill('site_installation_deleted'), 'installation_deleted']);
    expect(await deps.store.count(contentInstallations, {})).toBe(0);
  });

  it('leaves all to the run that holds it', async () => {
    const { deps } = opened;
    const integration = newIntegration(deps);
    const installation = await stored(deps, integration);
    await storedOn(deps, integration, { installation: installation._id, kind: 'site', target: 'docs' });
    const formerly = sealFormerState(deps, { installation: await presentInstallation(deps, installation) });
    const job = { _id: 'job', fence: '1', payload: { installation, formerly } } as unknown as Job<never>;
    const run = () => removeInstallationJob(deps).run({ job, signal: new AbortController().signal });
    await expect(run()).rejects.toThrow();
    expect(await deps.store.count(contentInstallations, {})).toBe(1);
    expect(await eventsOf(installation)).toEqual([]);
  });
});
