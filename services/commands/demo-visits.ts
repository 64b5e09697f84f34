import { randomUUID } from 'node:crypto';

/** Calls the API as any client program would. */
export type Api = <T>(method: string, path: string, body?: unknown) => Promise<T>;

interface Page {
  id: string;
  title: string;
  path?: string;
}

interface Visited {
  organization: string;
  space: string;
  pages: Page[];
}

const visits = 300;
/** Events of one request. */
const batch = 100;
const shown = 5;

const browsers = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
];
const referrers = ['https://www.google.com/', 'https://duckduckgo.com/', 'https://github.com/', ''];

/** One of a list, the first ones more often. */
const pickOneOf = <T>(list: T[]): T => list[Math.floor(list.length * Math.random() ** 3)] as T;

/** The events of a visitor who opens a few pages. */
function visitEvents({ space, pages }: Visited, url: string): object[] {
  const session = {
    visitorId: randomUUID(),
    sessionId: randomUUID(),
    cookies: {},
    userAgent: pickOneOf(browsers),
    language: pickOneOf(['en', 'de', 'ja', 'fr']),
    referrer: pickOneOf(referrers),
  };
  return Array.from({ length: 1 + Math.floor(Math.random() * 3) }, () => {
    const page = pickOneOf(pages);
    return {
      type: 'page_view',
      session,
      location: {
        url: `${url}${page.path ?? ''}`,
        ...{ siteSection: null, siteSpace: null, siteShareKey: null, revision: null },
        space,
        page: page.id,
      },
    };
  });
}

interface Aggregated {
  columns: { column: string; values: unknown[] }[];
}

/** Sends the visits of some hundred people to a new site, and shows which pages they read most. */
export async function showVisits(api: Api, visited: Visited, say: (text?: string) => void): Promise<void> {
  const { organization, space, pages } = visited;
  const site = await api<{ id: string }>('POST', `/orgs/${organization}/sites`, { title: 'Demo', spaces: [space] });
  const insights = `/orgs/${organization}/sites/${site.id}/insights/events`;
  const events = Array.from({ length: visits }, () => visitEvents(visited, 'https://docs.example.com/')).flat();
  const started = performance.now();
  for (let at = 0; at < events.length; at += batch)
    await api('POST', insights, { events: events.slice(at, at + batch) });
  say(
    `\nTracked ${events.length} page views of ${visits} visitors in ${Math.round(performance.now() - started)} ms. Read most:\n`,
  );
  const { columns } = await api<Aggregated>('POST', `${insights}/aggregate`, {
    range: 'last24Hours',
    select: [{ column: 'page' }, { column: 'eventsCount' }, { column: 'visitorsCount' }],
    order: { by: { column: 'eventsCount' }, direction: 'desc' },
    limit: shown,
  });
  const [ids = [], views = [], visitors = []] = columns.map(({ values }) => values);
  const titles = new Map(pages.map(({ id, title }) => [id, title]));
  const printLine = (title: unknown, ...counts: unknown[]) =>
    say(`  ${String(title).padEnd(40)}${counts.map((count) => String(count).padStart(10)).join('')}`);
  printLine('page', 'views', 'visitors');
  for (const [at, value] of ids.entries())
    printLine(titles.get((value as { page: string }).page), views[at], visitors[at]);
}
