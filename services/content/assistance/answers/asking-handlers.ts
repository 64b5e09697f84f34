import type { Context, HandlersOf } from '../../../../shared/contract/service.js';
import type { HasTurns } from '../../../../shared/work/semaphore.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import { readableSpaces } from '../../reading/search/search-spaces.js';
import { askerOf, type FollowAnswer, type FollowedAnswer } from '../contract/answering.js';
import { answerPiece, type askingOperations, beginningPiece, placeIn, questionsPiece } from '../contract/asking.js';
import type { HasModelMemory } from '../memory/model-memory.js';
import type { Answers, AnswersDependencies } from './answers.js';
import { presentAnswer } from './present-answer.js';
import { recommendQuestions } from './recommended-questions.js';

type Dependencies = AnswersDependencies & HasTrees & HasTurns & HasModelMemory & { answers: Answers };

/** An answer as far as it is made, in a format. */
export const followAnswer = async (
  deps: AnswersDependencies & { answers: Answers },
  { format, ...wanted }: FollowAnswer,
): Promise<FollowedAnswer> => presentAnswer(deps, await deps.answers.follow(wanted), format);

export function askingHandlers(deps: Dependencies): HandlersOf<typeof askingOperations> {
  const { answers } = deps;
  /** Who asks, and what may be told. */
  const askedBy = async (organization: string, { caller, network }: Context) => ({
    organization,
    asker: askerOf(caller, network),
    spaces: await readableSpaces(deps, organization, caller),
  });
  const recommend = async (organization: string, context: Context) =>
    recommendQuestions(deps, await askedBy(organization, context));

  return {
    async askInOrganization({ path: { organizationId }, query: { format }, body }, context) {
      const { query: question, previousQueries: before } = body;
      const asked = await askedBy(organizationId, context);
      const id = await answers.begin({ ...asked, question, before });
      const own = { id, asker: asked.asker.id, spaces: asked.spaces };
      let document = await answers.follow({ ...own, known: 0 });
      while (document.state === 'running') document = await answers.follow({ ...own, known: document.version });
      const { answer } = await presentAnswer(deps, document, format);
      return answer.answer ? { answer } : {};
    },

    async streamAskInOrganization({ path: { organizationId }, query: { query: question, format, after } }, context) {
      const asked = await askedBy(organizationId, context);
      if (after === undefined) return beginningPiece(await answers.begin({ ...asked, question }));
      const place = placeIn(after);
      return answerPiece(
        await followAnswer(deps, { ...place, asker: asked.asker.id, spaces: asked.spaces, format }),
        place,
      );
    },

    getRecommendedQuestionsInOrganization: async ({ path: { organizationId } }, context) => ({
      questions: await recommend(organizationId, context),
    }),

    streamRecommendedQuestionsInOrganization: async ({ path: { organizationId } }, context) =>
      questionsPiece(await recommend(organizationId, context)),
  };
}
