import type { HasWork } from '../../format/workers/page-work.js';
import type { FollowedAnswer, SourcePage } from '../contract/answering.js';
import type { AnswerDocument, SourceRef } from './model.js';
import { splitAnswer } from './prompt.js';
import type { AnswerFormat, ShownAnswer } from './resources.js';

/** Sources that are named where a text cites none. */
const maxUncited = 3;

type Made = Pick<AnswerDocument, 'organization' | 'state' | 'text' | 'version' | 'sources'>;

/** An answer as it is now, in a format. */
export async function presentAnswer({ work }: HasWork, made: Made, format: AnswerFormat): Promise<FollowedAnswer> {
  const { organization, state, version, sources } = made;
  const isComplete = state === 'done';
  const { text, followUps } = splitAnswer(made.text, isComplete);
  if (text === '') return { isComplete, version, answer: { followupQuestions: [], sources: [] }, pages: [] };
  const names = sources.map(({ space, page }) => `${space} ${page}`);
  const { markdown, document, cited } = await work.answer({ markdown: text, pages: names }, organization);
  const isUncited = isComplete && cited.length === 0;
  const named = isUncited
    ? sources.slice(0, maxUncited).map((source) => [source])
    : cited.map((at) => at.map((each) => sources[each] as SourceRef));
  return {
    isComplete,
    version,
    answer: {
      answer: format === 'markdown' ? { markdown } : { document },
      followupQuestions: followUps,
      sources: named.map((sections) => ({ ...presentSource(sections), ...(isUncited ? { reason: uncited } : {}) })),
    },
    pages: named.map((sections) => pageOf(sections[0] as SourceRef)),
  };
}

const uncited = 'Found for the question; the answer does not cite it.';

const pageOf = ({ space, page, title, path }: SourceRef): SourcePage => ({ space, page, title, path });

type ShownSource = ShownAnswer['sources'][number];

/** One source, of sections of one page. */
function presentSource(sections: SourceRef[]): ShownSource {
  const { space, revision, page } = sections[0] as SourceRef;
  return { type: 'page', page, revision, space, sections: sections.map(({ section }) => section) };
}
