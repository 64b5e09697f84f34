import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { download, exported } from './archive.js';
import { askOperator } from './operator.js';
import { Client, type StartedServer, startServer } from './server.js';

/** Installations of their own, into which the tests of a file import archives. They end with each test. */
export function elsewhere() {
  const started: StartedServer[] = [];
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-archives-'));
  });
  afterEach(async () => {
    for (const server of started.splice(0)) expect(await server.stop()).toBe(0);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return {
    /** The settings of one where nothing of another is. */
    newInstallation: (name: string) => ({
      DATA_DIR: join(folder, name),
      BOOTSTRAP_EMAIL: 'operator@elsewhere.example',
    }),
    async start(dataDir: string, env: Record<string, string> = {}, port?: number): Promise<StartedServer> {
      await mkdir(dataDir, { recursive: true });
      const server = await startServer({ dataDir, env, ...(port === undefined ? {} : { port }) });
      started.push(server);
      return server;
    },
    async stop(server: StartedServer): Promise<void> {
      started.splice(started.indexOf(server), 1);
      expect(await server.stop()).toBe(0);
    },
    /** The file of an archive of an organization, and its bytes. */
    async archiveOf({ organization, client }: { organization: string; client: Client }) {
      const bytes = await download(await exported(client, organization));
      const file = join(folder, `${organization}.zip`);
      await writeFile(file, bytes);
      return { file, bytes };
    },
    clientOf: async (server: StartedServer, email: string): Promise<Client> =>
      new Client(server.url, await askOperator({ issue: { email, label: 'test' } }, server.settings)),
  };
}
