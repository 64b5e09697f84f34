import type { HasSecrets } from '../../../../../shared/secrets/secrets.js';
import { eachDocument, type HasStore, type Store, type Write, write } from '../../../../../shared/store/port.js';
import { sha256, timestamp } from '../../../../../shared/values/ids.js';
import { joinPath } from '../../../format/space/paths.js';
import type { HasProxy } from '../address/proxy.js';
import { parseRemote } from '../address/remote.js';
import { type SharedState, sharedStates } from '../model.js';
import type { GitPayload } from './progress.js';

/** Shared states that are kept of a space; the oldest go. */
const maxStates = 20;

/** The folder of the repository that an operation is about. */
export const directoryOf = ({ repoProjectDirectory = '' }: Pick<GitPayload, 'repoProjectDirectory'>): string =>
  joinPath('', repoProjectDirectory) ?? '';

/** The address does not count its credentials, nor how it ends. */
export function sharedStateId({ secrets, proxy }: HasSecrets & HasProxy, payload: GitPayload): string {
  const { href } = parseRemote(secrets.decrypt(payload.url), proxy.allowCidrs);
  const address = href.replace(/\/+$/, '').replace(/\.git$/, '');
  return `${payload.space}:${sha256(JSON.stringify([address, payload.ref, directoryOf(payload)]))}`;
}

/** Without `held`, what is held stays so. */
type NotedState = Pick<SharedState, 'commit' | 'revision' | 'isAhead' | 'held'>;

/** Makes the writes that note a shared state, in place of the one before; the oldest of too many go. */
export async function newSharedStateNote(
  deps: HasStore & HasSecrets & HasProxy,
  payload: GitPayload,
): Promise<(state: NotedState) => Write[]> {
  const { space } = payload;
  const id = sharedStateId(deps, payload);
  const others = (await loadSharedStates(deps.store, space)).filter(({ _id }) => _id !== id);
  const surplus = others.slice(maxStates - 1).map(({ _id }) => _id);
  return (state) => [
    write.upsert(
      sharedStates,
      { _id: id },
      { $set: { space, directory: directoryOf(payload), ...state, at: timestamp() } },
    ),
    ...(surplus.length > 0 ? [write.delete(sharedStates, { _id: { $in: surplus } })] : []),
  ];
}

/** The shared states of a space, latest first. */
async function loadSharedStates(store: Store, space: string): Promise<SharedState[]> {
  const states: SharedState[] = [];
  for await (const state of eachDocument(store, sharedStates, { space })) states.push(state);
  return states.sort((a, b) => (a.at < b.at ? 1 : -1));
}

/** The shared states that an export may begin with: that of the branch itself, then those of the same folder on others. */
export async function findCandidateStates(
  deps: HasStore & HasSecrets & HasProxy,
  payload: GitPayload,
): Promise<{ own: SharedState | undefined; others: SharedState[] }> {
  const id = sharedStateId(deps, payload);
  const states = await loadSharedStates(deps.store, payload.space);
  const directory = directoryOf(payload);
  return {
    own: states.find(({ _id }) => _id === id),
    others: states.filter((state) => state._id !== id && state.directory === directory),
  };
}
