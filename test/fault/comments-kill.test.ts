import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newOrganization, newSpace, walk } from '../support/fixtures.js';
import { startServer } from '../support/server.js';

it('after kill -9 every acknowledged comment is there, and all counts are those of what is there', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bindery-comments-'));
  try {
    const server = await startServer({ dataDir });
    const space = await newSpace(server, await newOrganization(server));
    const path = `/v1/spaces/${space}/comments`;
    const commented: string[] = [];
    const replied: string[] = [];
    const deleted: string[] = [];
    const writers = Array.from({ length: 16 }, async (_, writer) => {
      for (let round = 0; ; round++) {
        const { id } = (await server.post(path, { body: { markdown: `${writer} ${round}` } })).body;
        if (round % 4 === 3) {
          await server.delete(`${path}/${id}`);
          deleted.push(id);
          continue;
        }
        commented.push(id);
        replied.push((await server.post(`${path}/${id}/replies`, { body: { markdown: 'Yes' } })).body.id);
        if (round % 2 === 0) await server.put(`${path}/${id}`, { resolved: true, addedReactions: ['👍'] });
        if (commented.length >= 150) void server.kill();
      }
    });
    await Promise.allSettled(writers);
    expect(commented.length).toBeGreaterThanOrEqual(150);

    const again = await startServer({ dataDir });
    const all = await walk(again, path, 100);
    const ids = new Set(all.map(({ id }) => id));
    expect(commented.filter((id) => !ids.has(id))).toEqual([]);
    expect(deleted.filter((id) => ids.has(id))).toEqual([]);
    const found: string[] = [];
    for (const { id, replies } of all) {
      const listed = await walk(again, `${path}/${id}/replies`, 100);
      expect([id, listed.length]).toEqual([id, replies]);
      found.push(...listed.map((reply) => reply.id));
    }
    expect(replied.filter((id) => !found.includes(id))).toEqual([]);
    for (const status of ['all', 'open', 'resolved']) {
      const expected = all.filter((comment) => status === 'all' || comment.status === status).length;
      const me = (await again.get('/v1/user')).body.id;
      for (const query of [`status=${status}`, `status=${status}&authors=${me}`]) {
        const { body } = await again.get(`${path}?limit=1000&${query}`);
        expect([query, body.count, body.items.length]).toEqual([query, expected, expected]);
      }
    }
    expect(await again.stop()).toBe(0);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
