import { randomBytes } from 'node:crypto';
import { sha256 } from '../../../shared/values/ids.js';
import { base64, ContentWriter, files, inserted } from '../content-changes.js';
import { newOrganization, newSpace, walk } from '../fixtures.js';
import { newTrackedSite, TrackedSite } from '../insights/tracked-site.js';
import { expectAllOnce, storedNames, Writers } from '../insights/writers.js';
import type { Answer, Client } from '../server.js';

const fileBytes = 20_000;

/** What was acknowledged: the pages, by change request, with the SHA-256 of the file that each shows; comments with their replies; events. */
interface Acknowledged {
  pages: [request: string, title: string, sha256: string][];
  comments: [comment: string, reply: string][];
  events: string[];
}

/** People who write and read everything that an installation keeps, without pause. */
export class Load {
  private readonly pages: Acknowledged['pages'] = [];
  private readonly comments: Acknowledged['comments'] = [];
  private readonly events: Writers;
  private stopped = false;
  private running: Promise<unknown> = Promise.resolve();
  /** Answers that nobody expected. */
  readonly failures: string[] = [];

  private constructor(
    private readonly client: Client,
    private readonly organization: string,
    private readonly space: string,
    private readonly site: TrackedSite,
  ) {
    this.events = new Writers(site);
  }

  static async on(client: Client): Promise<Load> {
    const organization = await newOrganization(client);
    const space = await newSpace(client, organization);
    return new Load(client, organization, space, await newTrackedSite(client, { organization }));
  }

  start(): void {
    const people = [this.writePages(1), this.writePages(2), this.writeComments(), this.writeComments(), this.read()];
    this.running = Promise.all([...people, this.events.write(2)]);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.events.stop();
    await this.running;
  }

  /** What was acknowledged so far. */
  acknowledged = (): Acknowledged => ({
    pages: [...this.pages],
    comments: [...this.comments],
    events: [...this.events.acknowledged],
  });

  private async body(what: string, request: Promise<Answer<any>>): Promise<any> {
    const { status, body } = await request;
    if (status >= 300) this.failures.push(`${what}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  private async writePages(person: number): Promise<void> {
    for (let round = 0; !this.stopped; round++) {
      const writer = await ContentWriter.on(this.client, this.space);
      for (let each = 0; each < 5 && !this.stopped; each++) {
        const title = `page ${person} ${round} ${each}`;
        const content = randomBytes(fileBytes);
        const file = { name: `${title}.bin`, ref: 'file', contentType: 'application/octet-stream' };
        const page = inserted(title, { document: { markdown: `# ${title}\n\n[The file](./file)\n` } });
        const changes = [page, files({ ...file, base64: base64(content) })];
        await this.body('page', writer.send({ changes }));
        this.pages.push([writer.id, title, sha256(content)]);
      }
    }
  }

  private async writeComments(): Promise<void> {
    const path = `/v1/spaces/${this.space}/comments`;
    while (!this.stopped) {
      const { id } = await this.body('comment', this.client.post(path, { body: { markdown: 'A comment' } }));
      const reply = await this.body('reply', this.client.post(`${path}/${id}/replies`, { body: { markdown: 'Yes' } }));
      this.comments.push([id, reply.id]);
    }
  }

  private async read(): Promise<void> {
    while (!this.stopped)
      for (const path of ['content/pages', 'change-requests', 'comments'])
        await this.body(path, this.client.get(`/v1/spaces/${this.space}/${path}`));
  }

  /** Expects on another server all that was acknowledged, and everything whole. */
  async expectOn(other: Client, acknowledged: Acknowledged): Promise<void> {
    await this.expectPages(other, acknowledged.pages);
    await this.expectComments(other, acknowledged.comments);
    const stored = await storedNames(new TrackedSite(other, this.organization, this.site.id));
    const sent = [...this.events.acknowledged, ...this.events.unknown];
    expectAllOnce(stored, { acknowledged: acknowledged.events, unknown: sent } as unknown as Writers);
  }

  private async expectPages(other: Client, pages: Acknowledged['pages']): Promise<void> {
    const requests = `/v1/spaces/${this.space}/change-requests`;
    const listed = await walk(other, `${requests}?status=draft`, 100);
    expect((await other.get(`${requests}?status=draft&limit=1`)).body.count).toBe(listed.length);
    const found: string[][] = [];
    for (const { id } of listed) found.push(...(await pagesIn(other, `${requests}/${id}/content`, id)));
    const all = new Set(found.map((each) => each.join(' ')));
    expect(pages.filter((each) => !all.has(each.join(' ')))).toEqual([]);
  }

  private async expectComments(other: Client, comments: Acknowledged['comments']): Promise<void> {
    const path = `/v1/spaces/${this.space}/comments`;
    const all = await walk(other, path, 100);
    expect((await other.get(`${path}?limit=1`)).body.count).toBe(all.length);
    expect((await other.get(`/v1/spaces/${this.space}`)).body.comments).toBe(all.length);
    const replies = new Set<string>();
    for (const { id, replies: count } of all) {
      const listed = await walk(other, `${path}/${id}/replies`, 100);
      expect([id, listed.length]).toEqual([id, count]);
      for (const { id: reply } of listed) replies.add(reply);
    }
    const ids = new Set(all.map(({ id }) => id));
    expect(comments.filter(([id, reply]) => !ids.has(id) || !replies.has(reply))).toEqual([]);
  }

  /** Writes one of each on another server. */
  async writeOn(other: Client): Promise<void> {
    const writer = await ContentWriter.on(other, this.space);
    await writer.apply(
      inserted('Afterwards'),
      files({ name: 'a.txt', contentType: 'text/plain', base64: base64('a') }),
    );
    const comment = await other.post(`/v1/spaces/${this.space}/comments`, { body: { markdown: 'Afterwards' } });
    expect(comment.status).toBe(200);
    const site = new TrackedSite(other, this.organization, this.site.id);
    const before = await site.count();
    await site.tracked([{}]);
    expect(await site.count()).toBe(before + 1);
  }
}

/** The pages of a change request, each with the SHA-256 of its file, which can be read. */
async function pagesIn(client: Client, content: string, request: string): Promise<string[][]> {
  const { pages } = (await client.get(`${content}/pages`)).body;
  const stored: any[] = await walk(client, `${content}/files`, 100);
  expect([request, stored.length]).toEqual([request, pages.length]);
  return Promise.all(
    pages.map(async ({ id, title }: { id: string; title: string }) => {
      const { source } = (await client.get(`${content}/page/${id}?format=source`)).body;
      const file = stored.find(({ name }) => name === `${title}.bin`);
      expect(source).toContain(`/files/${file.id}`);
      const answer = await fetch(file.downloadURL);
      return [request, title, sha256(new Uint8Array(await answer.arrayBuffer()))];
    }),
  );
}
