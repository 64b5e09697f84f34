import type { VNode } from 'preact';
import { failureOf } from '../../../shared/errors/errors.js';
import { contentContract } from '../../content/contract.js';
import type { ContentImport, GitOperation } from '../../content/resources.js';
import { jsonAnswer } from '../frame/answers.js';
import { endpoint, type ScreenRequest } from '../frame/screen.js';
import { spacePlace } from '../reading/places.js';
import { fill } from '../words/languages.js';
import { isRunning, operationText } from './git.js';

type Asking = Pick<ScreenRequest, 'call'>;

/** Imports that the list of a space shows. */
const maxListed = 100;

/** The latest operation with Git; undefined where there was none. */
export const gitOperationOf = ({ call }: Asking, spaceId: string): Promise<GitOperation | undefined> =>
  call(contentContract.getSpaceGitInfo, { path: { spaceId } }).then(
    ({ operation }) => operation,
    (error) => {
      if (failureOf(error).status === 404) return undefined;
      throw error;
    },
  );

/** The latest imports from addresses into a space. */
export async function importsInto(
  { call }: Asking,
  { id, organization: organizationId }: { id: string; organization: string },
): Promise<ContentImport[]> {
  const { items } = await call(contentContract.listContentImports, {
    path: { organizationId },
    query: { space: id, limit: maxListed },
  });
  return items;
}

export const isUnended = ({ state }: ContentImport): boolean => state === 'pending' || state === 'in-progress';

/** Says in words how an import is. */
export const importText = (
  { words: { imports } }: Pick<ScreenRequest, 'words'>,
  { state, importedResources, totalResources }: ContentImport,
): string => fill(imports[state], importedResources, totalResources);

interface Work {
  operation?: GitOperation | undefined;
  imports?: readonly ContentImport[];
}

const textsOf = (request: Pick<ScreenRequest, 'words'>, { operation, imports = [] }: Work): string[] => [
  ...(operation && isRunning(operation) ? [operationText(request, operation)] : []),
  ...imports.filter(isUnended).map((each) => importText(request, each)),
];

/** Shows that work is going on, kept as it is by a script; without one, a link shows the screen anew. */
export function progressLine(
  request: Pick<ScreenRequest, 'words' | 'to' | 'url'>,
  space: string,
  work: Work,
): VNode | null {
  const texts = textsOf(request, work);
  if (texts.length === 0) return null;
  return (
    <p class="progress-line">
      <span role="status" data-progress={request.to.progress(space)}>
        {texts.join(' · ')}
      </span>{' '}
      <a class="button" href={request.url}>
        {request.words.imports.refresh}
      </a>
    </p>
  );
}

/** Tells our script how far imports and exports of a space are. */
export const progress = endpoint({
  path: '/s/{space}/~/progress',
  method: 'GET',
  async answer(request) {
    const { space } = await spacePlace(request, request.path.space);
    const [operation, imports] = await Promise.all([
      gitOperationOf(request, space.id),
      space.permissions.edit ? importsInto(request, space) : [],
    ]);
    const texts = textsOf(request, { operation, imports });
    return jsonAnswer({ text: texts.join(' · '), ended: texts.length === 0 });
  },
});
