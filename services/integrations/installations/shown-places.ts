import type { Call, Context } from '../../../shared/contract/service.js';
import { groupBy } from '../../../shared/values/group-by.js';
import { Semaphore } from '../../../shared/work/semaphore.js';
import { presentSpaces } from '../../content/contract.js';
import type { Space } from '../../content/resources.js';
import { presentSites } from '../../sites/contract.js';
import type { Site } from '../../sites/resources.js';
import type { IntegrationDocument } from '../catalogue/model.js';
import type { InstallationDependencies } from './find.js';
import { type ContentInstallationDocument, installations } from './model.js';
import type { ShownPlace } from './present.js';
import { asInstallation } from './reach/callers.js';

type Dependencies = Pick<InstallationDependencies, 'store' | 'callAs'>;
type By = Pick<Context, 'call' | 'caller'>;

/** Calls of one page at a time: it may show spaces of many organizations. */
const callsAtOnce = 8;

/** Spaces and sites of installations as the caller sees them; by their ids where it does not see more of them. */
export async function presentPlaces(
  deps: Dependencies,
  { integration, documents }: { integration: IntegrationDocument; documents: readonly ContentInstallationDocument[] },
  by: By,
): Promise<ShownPlace> {
  const groups = [...groupBy(documents, groupKey(by)).values()];
  const few = new Semaphore(callsAtOnce);
  const shown = await Promise.all(groups.map((group) => few.run(() => showGroup(deps, { integration, group }, by))));
  const byId = new Map(shown.flat());
  return ({ _id, target }) => byId.get(_id) ?? target;
}

/** Groups what one question covers: for a person by organization and kind, for scripts by installation and kind. */
const groupKey =
  ({ caller }: By) =>
  ({ kind, organization, installation }: ContentInstallationDocument): string =>
    `${kind} ${caller.kind === 'user' ? organization : installation}`;

interface Group {
  integration: IntegrationDocument;
  group: readonly ContentInstallationDocument[];
}

async function showGroup(deps: Dependencies, { integration, group }: Group, by: By): Promise<[string, Space | Site][]> {
  const [{ kind, organization }] = group as [ContentInstallationDocument];
  const call = await chooseCall(deps, { integration, group }, by);
  if (!call) return [];
  const question = { organization, ids: group.map(({ target }) => target) };
  const found = kind === 'space' ? await readableSpaces(call, question) : await call(presentSites, question);
  return group.flatMap(({ _id }, at): [string, Space | Site][] => {
    const place = found[at];
    return place ? [[_id, place]] : [];
  });
}

const readableSpaces = async (
  call: Call,
  question: { organization: string; ids: string[] },
): Promise<(Space | null)[]> =>
  (await call(presentSpaces, question)).map((space) => (space?.permissions.view ? space : null));

/** Scripts see spaces and sites by what their installation was granted, also when the integration itself asks. */
async function chooseCall(
  deps: Dependencies,
  { integration, group }: Group,
  { call, caller }: By,
): Promise<Call | undefined> {
  if (caller.kind === 'user') return call;
  const [{ kind, installation: id }] = group as [ContentInstallationDocument];
  if (!integration.scopes.includes(`${kind}:metadata:read`)) return undefined;
  if (caller.kind === 'installation') return call;
  const installation = await deps.store.get(installations, id);
  if (!installation || installation.status === 'paused') return undefined;
  const targets = group.map(({ target }) => target);
  return deps.callAs(asInstallation(installation, integration, { spaces: targets, sites: targets }));
}
