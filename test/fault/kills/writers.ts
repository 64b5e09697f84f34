import { randomUUID } from 'node:crypto';
import { runtimesOf } from '../../../services/integrations/runtime/testing/processes.js';
import { eventually } from '../../../shared/testing/eventually.js';
import { newOrganization, newSpace, walk } from '../../support/fixtures.js';
import { newTrackedSite } from '../../support/insights/tracked-site.js';
import { expectAllOnce, storedNames, Writers } from '../../support/insights/writers.js';
import { install, publish } from '../../support/installing.js';
import { flatPages, type ShownPage } from '../../support/repository.js';
import { eventsOf, installWebhook, openReceiver } from '../../support/webhooks.js';
import { type Installation, several, type Writer } from './installation.js';

/** Spaces and teams: each that was made is in the audit trail once, and no other. */
export async function auditedWriter(installation: Installation): Promise<Writer> {
  const { client } = installation;
  const at = `/v1/orgs/${await newOrganization(client)}`;
  const acknowledged: string[] = [];
  return {
    count: () => acknowledged.length,
    write: () =>
      several(installation, 4, async (nth) => {
        const made = await installation.done((to) =>
          nth % 2 === 0 ? to.post(`${at}/spaces`, { title: 'Made' }) : to.put(`${at}/teams`, { title: 'Made' }),
        );
        if (made) acknowledged.push(made.id);
      }),
    async check() {
      const made = [...(await walk(client, `${at}/spaces`, 1000)), ...(await walk(client, `${at}/teams`, 1000))];
      const ids = made.map(({ id }) => id as string).sort();
      expect(acknowledged.filter((id) => !ids.includes(id))).toEqual([]);
      const events = await eventually(
        `${ids.length} audit records`,
        () => walk(client, `${at}/audit-events`, 1000),
        ({ length }) => length > ids.length,
      );
      const recorded = events.filter(({ operation }) => operation !== 'createOrganization');
      expect(recorded.map(({ resource }) => resource.id).sort()).toEqual(ids);
    },
  };
}

/** Spaces with an `Idempotency-Key`, sent until they are answered: each is there once. */
export async function keyedWriter(installation: Installation): Promise<Writer> {
  const { client } = installation;
  const path = `/v1/orgs/${await newOrganization(client)}/spaces`;
  const titles: string[] = [];
  async function write(title: string): Promise<void> {
    for (;;) {
      const headers = { 'Idempotency-Key': title };
      // 409: it is under way still, as far as the server knows, or was done and its answer is lost.
      const answer = await installation.send((to) => to.post(path, { title }, { headers }), [409]);
      if (answer?.status === 201 || answer?.body.error?.message.includes('its answer is lost')) return;
    }
  }
  return {
    count: () => titles.length,
    write: () =>
      several(installation, 4, async () => {
        const title = randomUUID();
        await write(title);
        titles.push(title);
      }),
    async check() {
      const there = (await walk(client, path, 1000)).map(({ title }) => title);
      expect(there.sort()).toEqual(titles.sort());
    },
  };
}

/** The receiver fails one request in forty, which holds up those behind it for a second or more. */
async function openForgetful() {
  let requests = 0;
  return openReceiver(() => (requests++ % 40 === 5 ? 500 : 200));
}

/** Tells the receiver of each comment, as a webhook does. */
const scriptFor = (url: string) => `
export default { async fetch(request) {
  const event = JSON.parse((await request.formData()).get('event'));
  if (event.type !== 'comment_created') return new Response(null, { status: 406 });
  const { status } = await fetch('${url}', { method: 'POST', body: JSON.stringify(event) });
  return new Response(null, { status });
} };`;

/**
 * Comments with replies, some resolved, some deleted: each is there, all counts are those of what is there, and a webhook and a script are told
 * of each, in the order in which they were written.
 */
export async function commentWriter(
  installation: Installation,
): Promise<Writer & { killRuntimes(): number; close(): Promise<void> }> {
  const { client } = installation;
  const organization = await newOrganization(client);
  const path = `/v1/spaces/${await newSpace(client, organization)}/comments`;
  const receiver = await openForgetful();
  const script = { organization, script: scriptFor(`${receiver.url}/script`), scopes: ['space:content:read'] };
  const told = {
    '/script': await install(client, await publish(client, script), { organization, space_selection: 'all' }),
    '/webhook': await installWebhook(client, {
      organization,
      url: `${receiver.url}/webhook`,
      configuration: { comment_events: true },
    }),
  };
  const people = 4;
  /** Of each person, in their order. */
  const created: string[][] = Array.from({ length: people }, () => []);
  const replied: string[] = [];
  const deleted = new Set<string>();
  const undone = new Set<string>();
  let rounds = 0;

  async function write(person: number): Promise<void> {
    const round = rounds++;
    const made = await installation.done((to) => to.post(path, { body: { markdown: `${round}` } }));
    if (!made) return;
    created[person]?.push(made.id);
    if (round % 4 === 3) {
      undone.add(made.id);
      if (await installation.done((to) => to.delete(`${path}/${made.id}`))) deleted.add(made.id);
      return;
    }
    const reply = await installation.done((to) => to.post(`${path}/${made.id}/replies`, { body: { markdown: 'Yes' } }));
    if (reply) replied.push(reply.id);
    const resolved = { resolved: true, addedReactions: ['👍'] };
    if (round % 2 === 0) await installation.done((to) => to.put(`${path}/${made.id}`, resolved));
  }

  async function checkStored(): Promise<void> {
    const all = await walk(client, path, 1000);
    const ids = new Set(all.map(({ id }) => id));
    expect(created.flat().filter((id) => !ids.has(id) && !undone.has(id))).toEqual([]);
    expect([...deleted].filter((id) => ids.has(id))).toEqual([]);
    const found = new Set<string>();
    for (const { id, replies } of all) {
      const listed = await walk(client, `${path}/${id}/replies`, 100);
      expect([id, listed.length]).toEqual([id, replies]);
      for (const reply of listed) found.add(reply.id);
    }
    expect(replied.filter((id) => !found.has(id))).toEqual([]);
    const me = (await client.get('/v1/user')).body.id;
    for (const status of ['all', 'open', 'resolved'])
      for (const query of [`status=${status}`, `status=${status}&authors=${me}`]) {
        const expected = all.filter((comment) => status === 'all' || comment.status === status).length;
        const { body } = await client.get(`${path}?limit=1000&${query}`);
        expect([query, body.count]).toEqual([query, expected]);
      }
  }

  async function checkTold(): Promise<void> {
    for (const [at, installed] of Object.entries(told)) {
      const heard = () => {
        const told = receiver.deliveries.filter(({ path, status, event }) => {
          return path === at && status === 200 && event.type === 'comment_created';
        });
        return [...new Set(told.map(({ event }) => event.commentId))];
      };
      const missing = () => created.flat().filter((id) => !heard().includes(id));
      await eventually(`what ${at} is told`, missing, ({ length }) => length === 0);
      const firsts = heard();
      for (const comments of created) {
        const own = new Set(comments);
        expect([at, firsts.filter((id) => own.has(id))]).toEqual([at, comments]);
      }
      const isOver = (events: any[]) => events.every(({ status }) => ['success', 'ignored'].includes(status));
      await eventsOf(client, installed, isOver, 'limit=1000');
      expect((await client.get(`${installed}/events?dead=true&limit=0`)).body.count).toBe(0);
    }
  }
  return {
    count: () => Math.min(created.flat().length, receiver.deliveries.length),
    write: () => several(installation, people, write),
    async check() {
      await checkStored();
      await checkTold();
    },
    /** Kills what runs scripts for the server. Answers how many processes that were. */
    killRuntimes() {
      const runtimes = runtimesOf(installation.pid);
      for (const pid of runtimes) process.kill(pid, 'SIGKILL');
      return runtimes.length;
    },
    close: () => receiver.close(),
  };
}

/** Change requests, some of them of several people, that are written to and merged: nothing is lost, and no number is given twice. */
export async function contentWriter(installation: Installation): Promise<Writer> {
  const { client } = installation;
  const space = await newSpace(client, await newOrganization(client));
  const at = (path: string) => `/v1/spaces/${space}/${path}`;
  const numbers = new Map<string, number>();
  const written = new Map<string, string[]>();
  const shared: string[] = [];
  let [merges, pages] = [0, 0];

  async function writePage(request: string): Promise<void> {
    const title = `page-${pages++}`;
    const changes = [{ operation: 'insert_page', title, document: { markdown: `Text of ${title}.\n` } }];
    // It may have been merged by then.
    const made = await installation.done((to) => to.post(at(`change-requests/${request}/content`), { changes }), [400]);
    if (made) written.set(request, [...(written.get(request) ?? []), title]);
  }

  async function write(): Promise<void> {
    const made = await installation.done((to) => to.post(at('change-requests'), { subject: 'Killed' }));
    if (!made) return;
    numbers.set(made.id, made.number);
    shared.push(made.id);
    for (let each = 0; each < 3; each++)
      await writePage(shared.at(-1 - (pages % Math.min(4, shared.length))) as string);
    if (await installation.done((to) => to.post(at(`change-requests/${made.id}/merge`)))) merges += 1;
  }

  /** The titles of the pages in a place, each of which can be read. */
  async function titlesIn(place: string): Promise<string[]> {
    const { status, body } = await client.get(at(`${place}/pages`));
    expect([place, status]).toEqual([place, 200]);
    const shown: ShownPage[] = flatPages(body.pages);
    const sources = await Promise.all(shown.map(({ id }) => client.get(at(`${place}/page/${id}?format=source`))));
    for (const [each, { title }] of shown.entries()) expect(sources[each]?.body.source).toBe(`Text of ${title}.\n`);
    return shown.map(({ title }) => title);
  }

  return {
    count: () => merges,
    write: () => several(installation, 3, write),
    async check() {
      const states = ['draft', 'open', 'archived', 'merged'];
      const [draft = [], open = [], archived = [], merged = []] = await Promise.all(
        states.map((status) => walk(client, at(`change-requests?status=${status}`), 100)),
      );
      const all = [...draft, ...open, ...archived, ...merged];
      const given = all.map(({ number }) => number).sort((a, b) => a - b);
      expect(given).toEqual(given.map((_, before) => before + 1));
      for (const [id, number] of numbers) expect(all.find((item) => item.id === id)?.number).toBe(number);
      const { body: found } = await client.get(`/v1/spaces/${space}`);
      const counters = [found.changeRequests, found.changeRequestsOpen, found.changeRequestsDraft];
      expect(counters).toEqual([all.length, 0, draft.length]);
      const primary = await titlesIn('content');
      expect(new Set(primary).size).toBe(primary.length);
      for (const { id, status } of all) {
        const titles = status === 'merged' ? primary : await titlesIn(`change-requests/${id}/content`);
        expect((written.get(id) ?? []).filter((title) => !titles.includes(title))).toEqual([]);
      }
      const revisions = await walk(client, at('revisions'), 1000);
      expect(revisions.filter(({ type }) => type === 'merge').length).toBe(merged.length);
      expect(merged.length).toBeGreaterThanOrEqual(merges);
    },
  };
}

/** Events of visitors: each is stored once. */
export async function eventWriter(installation: Installation): Promise<Writer> {
  const site = await newTrackedSite(installation.client);
  const writers = new Writers(site);
  return {
    count: () => writers.acknowledged.length,
    // Those whom nobody answers any more stop, and begin again when it is up.
    write: () =>
      several(installation, 1, async () => {
        await installation.send((to) => to.get('/healthz'));
        await writers.write(6, () => installation.isOver || installation.isResting);
      }),
    async check() {
      expect(Object.keys(writers.answers).filter((status) => !['204', '503', '504', 'none'].includes(status))).toEqual(
        [],
      );
      expectAllOnce(await storedNames(site), writers);
    },
  };
}
