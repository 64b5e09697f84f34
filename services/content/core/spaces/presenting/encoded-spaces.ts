import type { Caller } from '../../../../../shared/contract/caller.js';
import { Encoded } from '../../../../../shared/contract/encoded.js';
import type { Context } from '../../../../../shared/contract/service.js';
import type { Derivation, HasStore } from '../../../../../shared/store/port.js';
import { groupBy } from '../../../../../shared/values/group-by.js';
import type { Role } from '../../../../identity/resources.js';
import { presentSpace, type SpaceDocument, spaces } from '../../nodes/model.js';
import type { Space } from '../../nodes/resources.js';
import { openCommentCounts } from './open-comments.js';

/** A space for callers who must not see its Git source, such as visitors of its site. */
export function withoutGitSync({ gitSync: _, ...space }: Space): Space {
  return space;
}

interface EncodedSpace {
  space: Encoded<Space>;
  isDeleted: boolean;
}

/** A space as it is kept: encoded, or as it is stored where an earlier release has not noted its comments. */
type Kept = EncodedSpace | SpaceDocument;

type Dependencies = HasStore & { baseUrl: string };

/** The spaces with these roles of the caller, encoded; without those that do not exist. Each is made once for all callers who see the same. */
export async function encodeSpaces(
  { store, baseUrl }: Dependencies,
  roles: ReadonlyMap<string, Role | null>,
  context: Pick<Context, 'call' | 'caller'>,
): Promise<Map<string, EncodedSpace>> {
  const { caller } = context;
  const encoded = new Map<string, EncodedSpace>();
  const uncounted: SpaceDocument[] = [];
  for (const [role, group] of groupBy([...roles], ([, role]) => role)) {
    const ids = group.map(([id]) => id);
    const kept = await store.derive(spaces, ids, encodedFor(baseUrl, role, caller));
    kept.forEach((each, at) => {
      if (each && 'isDeleted' in each) encoded.set(ids[at] as string, each);
      else if (each) uncounted.push(each);
    });
  }
  const commentsOn = await openCommentCounts(context, uncounted);
  for (const document of uncounted) {
    const { _id: id } = document;
    encoded.set(id, encodeSpace(baseUrl, document, { role: roles.get(id) ?? null, caller, comments: commentsOn(id) }));
  }
  return encoded;
}

const encodedFor = (baseUrl: string, role: Role | null, caller: Caller): Derivation<SpaceDocument, Kept> => ({
  kind: `encoded for ${role}${caller.kind === 'content' ? ' as a visitor' : ''}`,
  make: (document) => {
    const comments = caller.kind === 'content' ? 0 : document.openComments;
    return comments === undefined ? document : encodeSpace(baseUrl, document, { role, caller, comments });
  },
  sizeOf: (kept) => 300 + ('isDeleted' in kept ? kept.space.bytes.length : 2000),
});

function encodeSpace(
  baseUrl: string,
  document: SpaceDocument,
  { role, caller, comments }: { role: Role | null; caller: Caller; comments: number },
): EncodedSpace {
  const space = presentSpace(baseUrl, document, { role, comments });
  const shown = caller.kind === 'content' ? withoutGitSync(space) : space;
  return { space: Encoded.of(shown), isDeleted: Boolean(document.deletedAt) };
}
