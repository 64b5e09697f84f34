import { newOrganization } from '../fixtures.js';
import type { Answer, Client, RequestOptions } from '../server.js';

/** Fields of an event to set; those of `session` and `location` beside the usual ones. */
export type EventFields = Record<string, unknown> & { session?: object; location?: object };

export const userAgents = {
  chrome:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  iPhone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Mobile/15E148 Safari/604.1',
  googlebot: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
};

/** A site whose visitors are tracked. */
export class TrackedSite {
  /** Where its pages are shown, with a slash at the end. */
  readonly url: string;

  constructor(
    readonly client: Client,
    readonly organization: string,
    readonly id: string,
  ) {
    this.url = `${client.url}/sites/${id}/`;
  }

  at = (rest = '') => `/v1/orgs/${this.organization}/sites/${this.id}${rest}`;
  events = (rest = '') => this.at(`/insights/events${rest}`);

  event = ({ session, location, ...own }: EventFields = {}) => ({
    type: 'page_view',
    session: {
      visitorId: 'visitor',
      sessionId: 'session',
      cookies: {},
      userAgent: userAgents.chrome,
      language: null,
      referrer: null,
      ...session,
    },
    location: {
      url: this.url,
      siteSection: null,
      siteSpace: null,
      siteShareKey: null,
      space: null,
      revision: null,
      page: null,
      ...location,
    },
    ...own,
  });

  track = (events: unknown[], options?: RequestOptions): Promise<Answer<any>> =>
    this.client.post(this.events(), { events }, options);

  /** Tracks events as an admin does; throws for any other answer than 204. */
  async tracked(fields: EventFields[], options?: RequestOptions): Promise<void> {
    const { status, body } = await this.track(fields.map(this.event), options);
    if (status !== 204) throw new Error(`${status} ${JSON.stringify(body)}`);
  }

  aggregate = (query: object, options?: RequestOptions): Promise<Answer<any>> =>
    this.client.post(this.events('/aggregate'), { range: 'last24Hours', ...query }, options);

  /** The rows of an answer: the values of the selected columns. */
  async rows(query: object): Promise<unknown[][]> {
    const { status, body } = await this.aggregate(query);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    return rowsOf(body);
  }

  /** How many events there are. */
  count = async (query: object = {}): Promise<number> => {
    const [[count] = []] = await this.rows({ select: [{ column: 'eventsCount' }], ...query });
    return count as number;
  };

  /** The events of an export, also those that lie minutes ahead. */
  async exported(query: Record<string, string> = {}): Promise<any[]> {
    const asked = new URLSearchParams({ to: new Date(Date.now() + 3_600_000).toISOString(), ...query });
    const { status, body } = await this.client.get<string>(`${this.events()}?${asked}`);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    return linesOf(body);
  }

  segments = (query = ''): Promise<Answer<any>> => this.client.get(this.at(`/insights/visitor-segments${query}`));
}

export const rowsOf = ({ columns }: { columns: { values: unknown[] }[] }): unknown[][] =>
  (columns[0]?.values ?? []).map((_, row) => columns.map(({ values }) => values[row]));

export const linesOf = (text: string): any[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

interface Options {
  /** One of its own by default. */
  organization?: string;
  published?: boolean;
}

export async function newTrackedSite(
  client: Client,
  { organization, published = true }: Options = {},
): Promise<TrackedSite> {
  const owner = organization ?? (await newOrganization(client));
  const { status, body } = await client.post(`/v1/orgs/${owner}/sites`, { title: 'Docs' });
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  if (published) await client.post(`/v1/orgs/${owner}/sites/${body.id}/publish`);
  return new TrackedSite(client, owner, body.id);
}
