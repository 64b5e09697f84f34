import { invalid } from '../../../../shared/errors/errors.js';
import type { RevisionView } from '../../core/revisions/revision-view.js';
import { redirectKey } from '../../format/space/paths.js';
import { Conflicts } from './conflicts.js';
import type { ThreeViews } from './merge-pages.js';
import type { Conflict, MergeSide } from './resources.js';

export interface Choice extends Pick<Conflict, 'kind' | 'id'> {
  choice: MergeSide;
}

const has: Record<Choice['kind'], (view: RevisionView, id: string) => boolean> = {
  page: ({ pageById }, id) => pageById.has(id),
  file: ({ fileById }, id) => fileById.has(id),
  'reusable-content': ({ reusable }, id) => reusable.some((entry) => entry.id === id),
  variable: ({ revision }, id) => Object.hasOwn(revision.variables ?? {}, id),
  redirect: ({ redirects }, id) => redirects.has(redirectKey(id)),
};

/**
 * The chosen sides by what they are chosen for. A choice for something that is not in conflict (any more) does no harm; one for
 * something that no side knows, and two for the same, are 400.
 */
export function chosenSides(choices: readonly Choice[], views: ThreeViews): Map<string, MergeSide> {
  const chosen = new Map<string, MergeSide>();
  for (const [at, each] of choices.entries()) {
    const { kind, id, choice } = each;
    const key = Conflicts.key(each);
    if (chosen.has(key)) throw invalid(`choices.${at}: there are two choices for the ${kind} ${id}`);
    if (!Object.values(views).some((view) => has[kind](view, id)))
      throw invalid(`choices.${at}: there is no ${kind} ${id}`);
    chosen.set(key, choice);
  }
  return chosen;
}
