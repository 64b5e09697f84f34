import type { HandlersOf } from '../../../../shared/contract/service.js';
import {
  answerPiece,
  beginAnswer,
  beginningPiece,
  followAnswer,
  placeIn,
  questionsPiece,
  recommendQuestions,
} from '../../../content/contract.js';
import type { askingOperations } from '../../contract/asking.js';
import { type SearchScope, scopeOf } from '../site-search.js';
import { type AsksInSites, askedInSite } from './askable-site.js';

type Handlers = Pick<HandlersOf<typeof askingOperations>, 'streamAskInSite' | 'streamRecommendedQuestionsInSite'>;

export const askingHandlers = (deps: AsksInSites): Handlers => ({
  async streamAskInSite({ path: { siteId }, query: { format, after }, body }, context) {
    const { call } = context;
    const asked = await askedInSite(deps, context, {
      siteId,
      scope: withOwn(scopeOf(body), body.context?.siteSpaceId),
    });
    if (after === undefined) return beginningPiece(await call(beginAnswer, { ...asked, question: body.question }));
    const place = placeIn(after);
    const { spaces, asker } = asked;
    return answerPiece(await call(followAnswer, { ...place, asker: asker.id, spaces, format }), place);
  },

  async streamRecommendedQuestionsInSite({ path: { siteId }, query: { siteSpaceId, spaceId } }, context) {
    const scope: SearchScope =
      siteSpaceId === undefined
        ? { ids: [], ...(spaceId === undefined ? { withDefaults: true } : { all: true }) }
        : { ids: [siteSpaceId] };
    const { site: _, ...asked } = await askedInSite(deps, context, { siteId, scope });
    const spaces = asked.spaces.filter((space) => spaceId === undefined || space === spaceId);
    return questionsPiece(await context.call(recommendQuestions, { ...asked, spaces }));
  },
});

/** A scope with the site space of the asker, unless it names its site spaces. */
const withOwn = (scope: SearchScope, own: string | undefined): SearchScope =>
  own !== undefined && scope.withDefaults ? { ...scope, ids: [...scope.ids, own] } : scope;
