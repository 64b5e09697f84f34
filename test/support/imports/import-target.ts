import { eventually } from '../../../shared/testing/eventually.js';
import type { Client } from '../server.js';
import type { Web } from './web.js';

export interface ShownPage {
  id: string;
  title: string;
  path: string;
  type: string;
  pages?: ShownPage[];
}

/** A file in place of an address. */
export interface SentFile {
  name: string;
  base64: string;
}

/** An import once it has ended. */
export const ended = (user: Client, { urls }: any): Promise<any> =>
  eventually(
    'the end of an import',
    async () => (await user.get(new URL(urls.location).pathname)).body,
    ({ state }) => state !== 'pending' && state !== 'in-progress',
  );

/** A space that a user imports into from a web server. */
export class ImportTarget {
  constructor(
    private readonly web: Web,
    readonly id: string,
    private readonly user: Client,
  ) {}

  get path(): string {
    return `/v1/spaces/${this.id}`;
  }

  send = (source: string, from: string | SentFile, at = '/content/import') => {
    const given =
      typeof from === 'string' ? { url: from.startsWith('/') ? this.web.url + from : from } : { file: from };
    return this.user.post(this.path + at, { source, ...given });
  };

  /** Imports what must be taken; waits for what takes longer than a request. */
  async imported(source: string, from: string | SentFile, at?: string) {
    const answer = await this.send(source, from, at);
    if (answer.status !== 201 && answer.status !== 202)
      throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    if (answer.status === 202) return ended(this.user, answer.body);
    const { revision } = answer.body;
    expect(answer.headers.get('location')).toBe(`${this.user.url}${this.path}/revisions/${revision}`);
    return answer.body;
  }

  pages = async (at = ''): Promise<ShownPage[]> => (await this.user.get(`${this.path}${at}/content/pages`)).body.pages;
  files = async () => (await this.user.get(`${this.path}/content/files`)).body.items;

  async text(path: string): Promise<string> {
    const { status, body } = await this.user.get(
      `${this.path}/content/path/${encodeURIComponent(path)}?format=markdown`,
    );
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body.markdown;
  }
}

/** The titles of a tree. */
export const titles = (pages: ShownPage[]): unknown[] =>
  pages.map(({ title, pages: below = [] }) => (below.length > 0 ? [title, ...titles(below)] : title));
