import { operations } from '../../services/gateway/contracts.js';
import { eventually } from '../../shared/testing/eventually.js';
import { personWith } from '../support/app-person.js';
import { filledOrganization } from '../support/filled.js';
import { filledLists } from '../support/filled-lists.js';
import { type NewUser, shared } from '../support/fixtures.js';

/** Addresses that lead nowhere, for a reason. */
const closed: [address: RegExp, why: string][] = [
  [
    /\/(?:v1\/orgs|app\/o)\/bindery$/,
    'it stands for this product, as the owner of what ships with it, and has no members',
  ],
  [/\/v1\/users\/\w+$/, 'a disabled member is listed, and shown to nobody else'],
  [/\/v1\/user\/tokens\/\w+$/, 'a token is deleted there, and shown in the list alone'],
];
const isClosed = (address: string): boolean => closed.some(([pattern]) => pattern.test(address));

let admin: NewUser;
/** The parameters of paths that name something of the organization. */
let known: Record<string, string[]>;
beforeAll(async () => {
  const filled = await filledOrganization(shared());
  admin = filled.admin;
  const lists = await filledLists(filled);
  const at = `/v1/orgs/${filled.organization}/openapi`;
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths: {} });
  await admin.client.post(at, { slug: 'pets', source: { text } });
  await eventually(
    'the version of the specification',
    async () => (await admin.client.get(`${at}/pets`)).body,
    ({ processingState }) => processingState === 'complete',
  );
  const last = (path: string) => path.split('/').at(-1) as string;
  const revision = async (space: string) => (await admin.client.get(`/v1/spaces/${space}/content`)).body.id as string;
  const live = last(lists.space);
  known = {
    organizationId: [filled.organization],
    userId: [admin.id, filled.member.id],
    teamId: [filled.team],
    collectionId: [filled.collection],
    spaceId: [live, filled.space],
    changeRequestId: [last(lists.changeRequest), last(lists.merged)],
    revisionId: [await revision(live)],
    pageId: [lists.page],
    siteId: lists.sites.map(last),
    specSlug: ['pets'],
    integrationName: [last(lists.integration)],
    installationId: [last(lists.installation)],
  };
});

/** Each way to put what is known into a path; none where something of it is not known. */
function pathsOf(path: string): string[] {
  const name = /\{(\w+)\}/.exec(path)?.[1];
  if (name === undefined) return [path];
  return (known[name] ?? []).flatMap((id) => pathsOf(path.replace(`{${name}}`, id)));
}

interface Found {
  apps: Map<string, string>;
  locations: Map<string, string>;
}

/** Collects the addresses of an answer, with the path of the answer that has them. */
function collect(value: unknown, path: string, found: Found): void {
  if (value === null || typeof value !== 'object') return;
  const { urls } = value as { urls?: { app?: unknown; location?: unknown } };
  if (typeof urls?.app === 'string') found.apps.set(urls.app, path);
  if (typeof urls?.location === 'string') found.locations.set(new URL(urls.location).pathname, path);
  for (const each of Object.values(value)) collect(each, path, found);
}

/** Integrations that anybody may install name the organization that made them, which others do not see. */
const isOfOthers = (address: string): boolean => {
  const [, organization] = /\/(?:o|orgs)\/([0-9A-Z]{26})$/.exec(address) ?? [];
  return organization !== undefined && !known.organizationId?.includes(organization);
};

/** A page that a change request adds has the address that it is to have. */
const isOfChangeRequest = (app: string, path: string): boolean =>
  path.includes('/change-requests/') && !app.includes('/~/');

const maxAnswers = 2000;

it('every address of the app that an answer names opens, and every location of the API', async () => {
  const found: Found = { apps: new Map(), locations: new Map() };
  const gets = operations.filter(({ method, query }) => method === 'GET' && (!query || query.safeParse({}).success));
  const waiting = gets.flatMap(({ path }) => pathsOf(`/v1${path}`));
  const asked = new Set<string>();
  const wrong: string[] = [];
  while (waiting.length > 0 && asked.size < maxAnswers) {
    const path = waiting.pop() as string;
    if (asked.has(path)) continue;
    asked.add(path);
    const { status, body } = await admin.client.get(path);
    const from = found.locations.get(path);
    if (from !== undefined && status !== 200 && !isClosed(path) && !isOfOthers(path))
      wrong.push(`${path} of ${from}: ${status}`);
    if (status !== 200) continue;
    collect(body, path, found);
    waiting.push(...[...found.locations.keys()].filter((each) => !asked.has(each)));
  }
  const browser = await personWith(shared(), admin.token);
  for (const [app, path] of found.apps) {
    if (isClosed(app) || isOfOthers(app) || isOfChangeRequest(app, path)) continue;
    await browser.open(new URL(app).pathname);
    if (browser.status !== 200) wrong.push(`${app} of ${path}: ${browser.status}`);
  }
  expect(wrong).toEqual([]);
  const shapes = new Set([...found.apps.keys()].map((app) => new URL(app).pathname.replace(/[0-9A-Z]{26}/g, '*')));
  expect([...shapes]).toEqual(
    expect.arrayContaining([
      '/app/o/*',
      '/app/c/*',
      '/app/s/*',
      '/app/s/*/guide',
      '/app/o/*/openapi/pets',
      '/app/s/*/~/revisions/*',
      expect.stringMatching(/^\/app\/integrations\/[\w-]+$/),
      expect.stringMatching(/^\/app\/o\/\*\/integrations\/[\w-]+\/installations\/\*$/),
    ]),
  );
  expect(asked.size).toBeLessThan(maxAnswers);
});

/** What tells an address of the app from others of the same screen. */
const shapeOf = ({ pathname, searchParams }: URL): string =>
  [pathname.replace(/\/(?:[0-9A-Z]{26}|\d+|site_\w+)(?=\/|$)/g, '/*'), ...new Set(searchParams.keys())].join(' ');

/** Addresses of a shape that are opened: the screens of many pages are one screen. */
const maxOfShape = 3;
const maxShapes = 400;

it('every link of a screen opens', async () => {
  const browser = await personWith(shared(), admin.token);
  const shapes = new Map<string, number>();
  const waiting = [['/app', 'the start']];
  const wrong: string[] = [];
  while (waiting.length > 0 && shapes.size < maxShapes) {
    const [path = '', from] = waiting.pop() as string[];
    await browser.open(path);
    if (browser.status !== 200) wrong.push(`${path} of ${from}: ${browser.status}`);
    const here = browser.screen.url;
    for (const link of browser.links()) {
      const url = new URL(link, here);
      const shape = shapeOf(url);
      const count = shapes.get(shape) ?? 0;
      if (url.origin !== here.origin || !/^\/app(\/|$)/.test(url.pathname) || count >= maxOfShape) continue;
      shapes.set(shape, count + 1);
      waiting.push([url.pathname + url.search, here.pathname]);
    }
  }
  expect(wrong).toEqual([]);
  expect([...shapes.keys()]).toEqual(
    expect.arrayContaining([
      '/app/o/*/members',
      '/app/o/*/sites/*/visits',
      '/app/s/*/~/compare to',
      '/app/s/*/~/history/*/restore',
      '/app/s/*/~/revisions/*/guide',
      '/app/s/*/~/changes/*/~/differences/*',
      '/app/s/*/~/changes/*/~/read/guide',
      '/app/s/*/~/edit/guide/start/deep',
    ]),
  );
});
