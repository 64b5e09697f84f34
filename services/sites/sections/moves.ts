import type { Context } from '../../../shared/contract/service.js';
import { moveGroup, moveLink, moveSection, moveSiteSpace, type Position } from '../structure/rules.js';
import { findSiteSpace } from '../structure/structure.js';
import type { ChangedSite, HasStructures } from '../structure/structures.js';
import { checkOpening } from './shown-content.js';

const moves = {
  'site-section': moveSection,
  'site-section-group': moveGroup,
  'site-space': moveSiteSpace,
  'site-external-link': moveLink,
};

interface Anchor {
  id?: string;
  siteSection?: string;
  siteSpace?: string;
}

interface GivenPosition {
  before?: Anchor | undefined;
  after?: Anchor | undefined;
}

const idOf = (anchor: Anchor | undefined) => anchor?.id ?? anchor?.siteSection ?? anchor?.siteSpace;

/** The position of a move by the ids of its anchors, whatever field names them. */
export const positionOf = (given: GivenPosition | undefined): Position | undefined =>
  given && { before: idOf(given.before), after: idOf(given.after) };

interface Move {
  context: Pick<Context, 'audit' | 'call' | 'caller'>;
  site: string;
  type: keyof typeof moves;
  id: string;
  position: Position | undefined;
}

/** Moves a section, a section group, a site space or an external link. */
export const movePart = (
  { structures }: HasStructures,
  { context, site, type, id, position }: Move,
): Promise<ChangedSite> =>
  structures.change(site, async ({ structure }) => {
    const from = type === 'site-space' ? findSiteSpace(structure, id) : undefined;
    moves[type](structure, id, position);
    // The condition of the section that it leaves no longer holds it back.
    if (from && from.section !== findSiteSpace(structure, id).section)
      await checkOpening({ ...context, spaces: [from.siteSpace.space] });
    return { record: context.audit(type, id, { details: { site, position } }) };
  });
