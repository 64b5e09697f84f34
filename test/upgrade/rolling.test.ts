import { operations } from '../../services/gateway/contracts.js';
import { packageFile } from '../../shared/process/package-root.js';
import { Balancer } from '../cluster/load/balancer.js';
import { Load } from '../cluster/load/load.js';
import { checkAnswers, checkAudit, checkLedger } from '../cluster/load/verdicts.js';
import { Report } from '../cluster/report.js';
import { newOrganization } from '../support/fixtures.js';
import { type Client, testToken } from '../support/server.js';
import { newMembers, otherAnswers } from './accepted.js';
import { answersTo, changesSince, type RecordedAnswer } from './answers.js';
import { readContract, readRecording } from './baseline.js';
import { type Filling, fill } from './filling.js';
import { Fleet, type GatewayPlace, services } from './fleet.js';
import { builtRelease } from './former-release.js';

const { NATS_URL, MONGODB_URL, CLICKHOUSE_URL } = process.env;
const isPossible = NATS_URL && MONGODB_URL && CLICKHOUSE_URL;
if (!isPossible)
  console.warn('SKIPPED: processes of two releases; set NATS_URL, MONGODB_URL and CLICKHOUSE_URL to test them');

/** Under a load from the first replacement to the last. */
(isPossible ? describe : describe.skip)('processes of the last release and of this one', () => {
  let fleet: Fleet;
  let first: GatewayPlace;
  let second: GatewayPlace;
  let former: Filling;
  let organization: string;
  let before: RecordedAnswer[];
  let balancer: Balancer;
  let load: Load;
  /** The operations that the last release has. */
  const ofLast = operations.filter(({ id }) => id in readContract().operations);
  const ask = (client: Client, { questions, tokens }: Filling) =>
    answersTo(questions, { client, url: first.url, tokens });

  beforeAll(async () => {
    fleet = await Fleet.create({
      natsUrl: String(NATS_URL),
      mongodbUrl: String(MONGODB_URL),
      clickhouseUrl: String(CLICKHOUSE_URL),
      programs: {
        last: await builtRelease(readRecording().commit),
        this: packageFile('dist/services/main.js'),
      },
    });
    [first, second] = fleet.gateways;
    process.env.BINDERY_TEST_STORE = JSON.stringify(fleet.store);
    await fleet.start('last');
    organization = await newOrganization(first);
    former = await fill(first, organization, { filling: ofLast, asked: ofLast, unknown: newMembers });
    balancer = new Balancer(fleet.gateways, testToken);
    load = await Load.start(balancer, first.url, testToken);
    before = await ask(first, former);
  });
  afterAll(async () => {
    await load?.stop();
    await balancer?.close();
    await fleet?.close();
  });

  it('a gateway of this one answers for services of the last one', async () => {
    await fleet.replaceGateway(first, 'this');
    expect(changesSince(before, await ask(first, former))).toEqual([]);
  });

  it('services of this one answer to gateways of both', async () => {
    for (const service of services) await fleet.replaceService(service, 'this');
    expect(changesSince(before, await ask(first, former))).toEqual([]);
    expect(changesSince(before, await ask(second, former))).toEqual([]);
  });

  it('what this one writes, the last one reads after the way back', async () => {
    await fleet.replaceGateway(second, 'this');
    const filling = await fill(first, organization, { asked: ofLast });
    const written = await ask(first, filling);
    await fleet.replaceGateway(second, 'last');
    for (const service of services) await fleet.replaceService(service, 'last');
    await fleet.replaceGateway(first, 'last');
    const read = await ask(first, filling);
    const compared = (answers: RecordedAnswer[]) =>
      answers.map((answer) => (otherAnswers.includes(answer.operation) ? { ...answer, body: null } : answer));
    expect(changesSince(compared(read), compared(written))).toEqual([]);
    expect(read.filter(({ status }) => status === 200).length).toBeGreaterThan(200);
  });

  it('no request failed meanwhile, and every write is what it was answered to be', async () => {
    await load.stop();
    const report = new Report();
    checkAnswers(load.samples, { reads: [], writes: [503] }, ['rolling upgrade', report]);
    await checkLedger(load, 'rolling upgrade', report);
    await checkAudit(load, 'rolling upgrade', report);
    expect(report.table()).not.toContain('BROKEN');
    expect(load.samples.length).toBeGreaterThan(1000);
    expect(fleet.faults()).toEqual([]);
  });
});
