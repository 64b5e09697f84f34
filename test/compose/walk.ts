import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../shared/process/free-port.js';
import { packageFile } from '../../shared/process/package-root.js';
import { eventually } from '../../shared/testing/eventually.js';
import { blocksOf, expectSame, run, say, serveExample, walkTour } from '../newcomer/tour.js';
import { Client } from '../support/server.js';

/**
 * Does on a Docker Engine what docs/operations/docker.md tells, word by word, in a clean clone: builds both images, runs the one container and
 * the compose file until they are healthy, walks the tour, publishes a site and counts a visit, runs a script, restarts, and stops within the grace. Put in
 * for the examples are the port, the names of containers and volumes, and a repository on this machine.
 */
const name = `bindery-test-${process.pid}`;
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const environment = { ...process.env, COMPOSE_PROJECT_NAME: name };
const folder = await mkdtemp(join(tmpdir(), 'bindery-compose-'));
const clone = join(folder, 'bindery');

async function sh(commands: string): Promise<string> {
  say(`\n$ ${commands.trim().replaceAll('\n', '\n$ ')} (after ${Math.round(process.uptime())} s)`);
  const options = { cwd: clone, env: environment, maxBuffer: 64 * 1024 ** 2 };
  const { stdout } = await run('sh', ['-ec', commands], options).catch(({ message, stdout, stderr }) => {
    throw new Error(`${message}\n${stdout}\n${stderr}`.slice(-20_000));
  });
  return stdout;
}

const inspected = async (container: string, field: string) =>
  (await sh(`docker inspect --format '{{.${field}}}' ${container}`)).trim();

/** Waits for a container, whose own check gives up. */
async function healthy(container: string): Promise<void> {
  const state = async () =>
    JSON.parse((await run('docker', ['inspect', '--format', '{{json .State}}', container])).stdout);
  const { Running, Health } = await eventually(
    `the health of ${container}`,
    state,
    ({ Running, Health }) => !Running || Health.Status !== 'starting',
  );
  if (!Running || Health.Status !== 'healthy')
    throw new Error(`${container} is not healthy:\n${await sh(`docker logs --tail 50 ${container} 2>&1`)}`);
}

async function ok<T = any>(client: Client, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await client.request<T>(method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Publishes a site of the first space, which one visitor reads; returns a check that the visit is counted. */
async function publish(client: Client): Promise<() => Promise<void>> {
  const [organization] = (await ok(client, 'GET', '/v1/orgs')).items;
  const [space] = (await ok(client, 'GET', `/v1/orgs/${organization.id}/spaces`)).items;
  const sites = `/v1/orgs/${organization.id}/sites`;
  const site = await ok(client, 'POST', sites, { title: 'Published', spaces: [space.id] });
  const { urls } = await ok(client, 'POST', `${sites}/${site.id}/publish`);
  const found = await ok(client, 'POST', '/v1/urls/published', { url: urls.published });
  expectSame('the site at its address', site.id, found.site);
  const session = { visitorId: 'v1', sessionId: 's1', cookies: {}, userAgent: 'Mozilla/5.0 Firefox/145.0' };
  const nowhere = { siteSection: null, siteSpace: null, siteShareKey: null, revision: null, page: null };
  const visit = {
    type: 'page_view',
    session: { ...session, language: null, referrer: null },
    location: { url: urls.published, space: space.id, ...nowhere },
  };
  const events = `${sites}/${site.id}/insights/events`;
  await ok(client, 'POST', events, { events: [visit] });
  return async () => {
    const query = { range: 'last24Hours', select: [{ column: 'eventsCount' }] };
    const { columns } = await ok(client, 'POST', `${events}/aggregate`, query);
    expectSame('the number of visits', [1], columns[0].values);
  };
}

/** Publishes an integration whose script asks the API, and has it answer. */
async function runScript(client: Client): Promise<void> {
  const [{ id: organization }] = (await ok(client, 'GET', '/v1/orgs')).items;
  const script = `export default {
    async fetch(request) {
      const { apiEndpoint } = JSON.parse((await request.formData()).get('environment'));
      const { status } = await fetch(apiEndpoint + '/v1/user');
      return new Response('a script is answered ' + status);
    },
  };`;
  const about = { runtime: 'v2', title: 'Walked', description: 'Asks the API.' };
  await ok(client, 'POST', '/v1/integrations/walked', { ...about, script, organization });
  const { urls } = await ok(client, 'POST', '/v1/integrations/walked/installations', { organization });
  const answer = await fetch(`${url}${new URL(urls.publicEndpoint).pathname}`);
  expectSame('the answer of a script', 'a script is answered 401', await answer.text());
}

/** What the first start prints when it has imported the handbook; `logs` is the command that shows it. */
const bannerIn = (logs: string): Promise<string> =>
  eventually(
    'the banner',
    async () => (await run('sh', ['-c', logs], { cwd: clone, env: environment })).stdout,
    (log) => log.includes('/content/pages'),
  );

const clientOf = (banner: string) => new Client(url, /API token\s+(\S+)/.exec(banner)?.[1] ?? '');

async function walkContainer(commands: string): Promise<void> {
  const own = commands
    .replace('--name bindery ', `--name ${name} `)
    .replace('-v bindery:', `-v ${name}:`)
    .replace('logs bindery', `logs ${name}`)
    .replace('127.0.0.1:4000:', `127.0.0.1:${port}:`);
  try {
    await sh(own);
    await healthy(name);
    const client = clientOf(await bannerIn(`docker logs ${name}`));
    const counted = await publish(client);
    await counted();
    await runScript(client);
    await sh(`docker restart ${name}`);
    await healthy(name);
    await counted();
    await sh(`docker stop ${name}`);
    expectSame('the exit code', '0', await inspected(name, 'State.ExitCode'));
  } finally {
    await sh(`docker rm --force --volumes ${name}; docker volume rm --force ${name}`);
  }
}

async function walkCompose([secrets = '', ...commands]: string[], tour: string): Promise<void> {
  await sh(secrets);
  const settings = {
    BASE_URL: url,
    LISTEN: url.slice(7),
    OUTBOUND_ALLOW_CIDRS: '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16',
  };
  await appendFile(
    join(clone, '.env'),
    Object.entries(settings)
      .map((line) => `${line.join('=')}\n`)
      .join(''),
  );
  const closing: (() => unknown)[] = [() => sh('docker compose down --volumes')];
  try {
    await sh(commands.join('\n'));
    const banner = await bannerIn(commands.at(-1) ?? '');
    // The machine, as a container with a way out sees it.
    const gateway = await sh(`docker network inspect --format '{{(index .IPAM.Config 0).Gateway}}' ${name}_exit`);
    const repository = await serveExample(folder, gateway.trim());
    closing.push(repository.close);
    await walkTour(tour, { folder: clone, url, banner, repository: repository.url });
    const client = clientOf(banner);
    const counted = await publish(client);
    await counted();
    await runScript(client);
    await sh('docker compose restart');
    await sh('docker compose up --detach --wait');
    await counted();
    await sh('docker compose stop');
    const ended = await sh(`docker compose ps --all --format '{{.Service}} {{.ExitCode}}'`);
    // NATS ends with 1 at SIGTERM.
    const otherwise = ended.split('\n').filter((line) => !/^$|^nats 1$| 0$/.test(line));
    expectSame('what ended otherwise than in order and in time', [], otherwise);
  } catch (error) {
    say(await sh('docker compose ps --all; docker compose logs --tail 20'));
    throw error;
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

try {
  await run('git', ['clone', '--quiet', packageFile('.'), clone]);
  const [handbook = '', tour = ''] = await Promise.all(
    ['docs/operations/docker.md', 'docs/tour.md'].map((page) => readFile(join(clone, page), 'utf8')),
  );
  const [container, compose] = blocksOf(handbook).map(({ text }) => text);
  await walkContainer(container ?? '');
  // Its last part is about a clone with packages.
  await walkCompose((compose ?? '').trim().split('\n'), tour.split('\n## All at once\n')[0] ?? '');
  say('\nImage and compose file hold what the handbook tells.');
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
