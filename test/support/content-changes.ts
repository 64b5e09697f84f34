import { newSpace } from './fixtures.js';
import { type CommittedFiles, flatPages, importedSpace, type Repositories, type ShownPage } from './repository.js';
import type { Answer, Client } from './server.js';

/** Where a cluster shares the processors of its tests, it may have no time for a batch, which then changes nothing. */
const busyAttempts = process.env.BINDERY_TEST_GATEWAYS ? 3 : 0;

/** A change request that tests write to. */
export class ContentWriter {
  private constructor(
    readonly client: Client,
    readonly space: string,
    readonly id: string,
  ) {}

  static async on(client: Client, space: string): Promise<ContentWriter> {
    const { status, body } = await client.post(`/v1/spaces/${space}/change-requests`, { subject: 'Changes' });
    if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
    return new ContentWriter(client, space, body.id);
  }

  /** On a new space, which has no pages. */
  static async onNew(client: Client, organization: string): Promise<ContentWriter> {
    return ContentWriter.on(client, await newSpace(client, organization));
  }

  /** On a new space with these files of a repository. */
  static async onImported(
    setting: { client: Client; organization: string; repositories: Repositories },
    name: string,
    files: CommittedFiles,
  ): Promise<ContentWriter> {
    const { space } = await importedSpace(setting, name, files);
    return ContentWriter.on(setting.client, space);
  }

  get path(): string {
    return `/v1/spaces/${this.space}/change-requests/${this.id}`;
  }

  /** Sends a body as it is. */
  send = (body: unknown, client = this.client): Promise<Answer<any>> =>
    client.post(`${this.path}/content?compat=false`, body);

  /** Applies changes that must be taken; the full answer. */
  async apply(...changes: unknown[]): Promise<any> {
    if (changes.length === 0) return undefined;
    let answer = await this.send({ changes });
    for (let more = busyAttempts; answer.status === 503 && more > 0; more--) answer = await this.send({ changes });
    if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** The ids of the pages and files that changes insert, in their order. */
  async insert(...changes: unknown[]): Promise<string[]> {
    const { changes: made, insertedFiles = [] } = await this.apply(...changes);
    return [...made.map(({ page }: any) => page.id), ...insertedFiles.map(({ id }: any) => id)];
  }

  /** Status and message of changes that must be refused. */
  async refused(...changes: unknown[]): Promise<[status: number, message: string]> {
    const { status, body } = await this.send({ changes });
    return [status, body.error?.message];
  }

  state = async (): Promise<any> => (await this.client.get(this.path)).body;
  revision = async (): Promise<string> => (await this.state()).revision;
  tree = async (): Promise<ShownPage[]> => (await this.client.get(`${this.path}/content/pages`)).body.pages;
  pages = async (): Promise<ShownPage[]> => flatPages(await this.tree());
  page = async (id: string, query = ''): Promise<any> =>
    (await this.client.get(`${this.path}/content/page/${id}?${query}`)).body;
  source = async (id: string): Promise<string> => (await this.page(id, 'format=source')).source;
  markdown = async (id: string): Promise<string> => (await this.page(id, 'format=markdown')).markdown;
  nodes = async (id: string): Promise<any[]> => (await this.page(id, 'format=document')).document.nodes;
  files = async (): Promise<any[]> => (await this.client.get(`${this.path}/content/files`)).body.items;

  /** The id of the page with a title. */
  async named(title: string): Promise<string> {
    const found = (await this.pages()).find((page) => page.title === title);
    if (!found) throw new Error(`no page is called ${title}`);
    return found.id;
  }

  /** Titles and paths, with those of the pages below. */
  outline = async (): Promise<unknown[]> => outlineOf(await this.tree());
}

const outlineOf = (pages: ShownPage[]): unknown[] =>
  pages.map(({ title, path, pages: below = [] }) =>
    below.length > 0 ? [title, path, outlineOf(below)] : [title, path],
  );

export const document = (markdown: string) => ({ document: { markdown } });

export const inserted = (title: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  ...document(`About ${title}.\n`),
  ...more,
});

export const updated = (page: string, more: object) => ({ operation: 'update_page', page, ...more });
export const deleted = (page: string) => ({ operation: 'delete_page', page });
export const reverted = (page: string, more: object = {}) => ({ operation: 'revert_page', page, ...more });
export const files = (...given: object[]) => ({ operation: 'insert_files', files: given });

export const base64 = (content: string | Buffer) => Buffer.from(content).toString('base64');

/** What a page links to, as its document says it: in the order of the page. */
export function referencesIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  const { ref, ...rest } = value as { ref?: Record<string, unknown> };
  return [...(ref ? [ref] : []), ...Object.values(rest).flatMap(referencesIn)];
}
