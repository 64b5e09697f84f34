import type { Context } from '../../../shared/contract/service.js';
import type { SitesDependencies } from '../dependencies.js';
import { moveGroup, moveSection, moveSiteSpace, type Position } from '../structure/rules.js';
import type { ChangedSite } from '../structure/structures.js';

const moves = {
  'site-section': moveSection,
  'site-section-group': moveGroup,
  'site-space': moveSiteSpace,
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

interface Move extends Pick<Context, 'audit'> {
  site: string;
  type: keyof typeof moves;
  id: string;
  position: Position | undefined;
}

/** Moves a section, a section group or a site space. */
export const movePart = (
  { structures }: Pick<SitesDependencies, 'structures'>,
  { audit, site, type, id, position }: Move,
): Promise<ChangedSite> =>
  structures.change(site, ({ structure }) => {
    moves[type](structure, id, position);
    return { record: audit(type, id, { details: { site, position } }) };
  });
