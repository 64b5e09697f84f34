import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { walk } from '../support/fixtures.js';
import { startServer } from '../support/server.js';

interface AuditEvent {
  operation: string;
  resource: { id: string };
}

it('after kill -9 the audit trail has every write that was made, once, and no other', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bindery-audit-'));
  try {
    const server = await startServer({ dataDir });
    const organization = (await server.post('/v1/orgs', { title: 'Killed' })).body.id;
    const acknowledged: string[] = [];
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (;;) {
        const made =
          writer % 2 === 0
            ? await server.post(`/v1/orgs/${organization}/spaces`, { title: 'Made' })
            : await server.put(`/v1/orgs/${organization}/teams`, { title: 'Made' });
        acknowledged.push(made.body.id);
        if (acknowledged.length === 150) void server.kill();
      }
    });
    await Promise.allSettled(writers);
    expect(acknowledged.length).toBeGreaterThanOrEqual(150);

    const again = await startServer({ dataDir });
    const made = [
      ...(await walk(again, `/v1/orgs/${organization}/spaces`, 100)),
      ...(await walk(again, `/v1/orgs/${organization}/teams`, 100)),
    ].map(({ id }) => id as string);
    expect(made).toEqual(expect.arrayContaining(acknowledged));
    let events: AuditEvent[] = [];
    while (events.length < made.length + 1)
      events = await walk<AuditEvent>(again, `/v1/orgs/${organization}/audit-events`, 1000);
    const recorded = events
      .filter(({ operation }) => operation !== 'createOrganization')
      .map(({ resource }) => resource.id);
    expect(recorded.toSorted()).toEqual(made.toSorted());
    expect(await again.stop()).toBe(0);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
