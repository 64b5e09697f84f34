import { eventually } from '../../shared/testing/eventually.js';
import { document, updated } from './content-changes.js';
import { exportedSpace, type Setting } from './exports.js';
import type { CommittedFiles } from './repository.js';

let made = 0;

/** A space with what its connection is tested with; `files` is the first commit of its repository. */
export async function spaceWithRepository(setting: Setting, files: CommittedFiles | null) {
  const name = `sync-${made++}`;
  const { client, repositories } = setting;
  if (files) await repositories.commit(name, files);
  else await repositories.makeEmpty(name);
  const space = await exportedSpace(setting, name);
  return {
    ...space,
    name,
    client,
    /** The change that gives a page another text. */
    edited: async (title: string, markdown: string) => updated(await space.idOf(title), document(markdown)),
  };
}

type Made = Awaited<ReturnType<typeof spaceWithRepository>>;

/** Connects a space with its repository; `configure` goes into the request. */
export async function connect({ client, space, url }: Made, configure: object = {}) {
  const { status, body } = await client.post('/v1/git/installations', {
    provider: 'git',
    target: { type: 'space', spaceId: space },
    providerConfiguration: { repositoryUrl: url, branch: 'refs/heads/main' },
    ...configure,
  });
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  const path = `/v1/git/installations/${body.id}`;
  const get = async (): Promise<any> => (await client.get(path)).body;
  return {
    path,
    first: body,
    get,
    /** Waits until nothing is going on, and returns the connection then. */
    settled: async (wanted: string = 'connected'): Promise<any> =>
      eventually(`a connection that is ${wanted}`, get, ({ state }) => state === wanted),
    /** Syncs now, and waits until a sync has ended that began later than this. */
    async sync(body: object = {}): Promise<any> {
      const idle = ({ state }: any) => state !== 'syncing';
      const { lastSyncAt: before, error: was } = await eventually('the end of what is going on', get, idle);
      const asked = await client.post(`${path}/sync`, body);
      if (asked.status !== 204) throw new Error(`${asked.status} ${JSON.stringify(asked.body)}`);
      return eventually(
        'the end of a sync',
        get,
        ({ lastSyncAt, state, error }) =>
          state !== 'syncing' && (lastSyncAt !== before || (error !== undefined && error !== was)),
      );
    },
  };
}
