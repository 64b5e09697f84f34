import type { BodyOf, Piece } from '../../../../shared/contract/operation.js';
import { eventPiece } from '../../../../shared/contract/operation.js';
import type { Call, Context, HandlersOf } from '../../../../shared/contract/service.js';
import { invalid } from '../../../../shared/errors/errors.js';
import { beginAnswer, type FollowedAnswer, followAnswer, readTexts } from '../../../content/contract.js';
import type { askingOperations, ResponseEvent } from '../../contract/asking.js';
import { type AsksInSites, askedInSite } from './askable-site.js';

type Handlers = Pick<HandlersOf<typeof askingOperations>, 'streamAIResponseInSite' | 'streamExistingAIResponseInSite'>;
type Input = BodyOf<typeof askingOperations.streamAIResponseInSite>['input'];

/** How far a response was sent: the version of the answer, and the blocks of its text. */
interface Place {
  id: string;
  known: number;
  sent: number;
}

export function responseHandlers(deps: AsksInSites): Handlers {
  const asked = (siteId: string, context: Context) =>
    askedInSite(deps, context, { siteId, scope: { all: true, ids: [] } });
  /** The events after a place, for whoever asked. */
  const follow = async (place: Place, siteId: string, context: Context): Promise<Piece> => {
    const { asker, spaces } = await asked(siteId, context);
    const { id, known } = place;
    const wanted = { id, known, asker: asker.id, spaces, format: 'document' } as const;
    return responsePiece(await context.call(followAnswer, wanted), place);
  };

  return {
    async streamAIResponseInSite({ path: { siteId }, query: { after }, body }, context) {
      if (after !== undefined) return follow(placeIn(after), siteId, context);
      const { organization, ...by } = await asked(siteId, context);
      const texts = await textsOf(context.call, organization, body.input);
      const location = body.input.at(-1)?.context?.location;
      const id = await context.call(beginAnswer, {
        ...by,
        organization,
        question: texts.at(-1) ?? '',
        before: texts.slice(0, -1),
        previous: body.previousResponseId,
        page: location && { space: location.spaceId, page: location.pageId },
      });
      return eventPiece(undefined, `${id}.0.0`);
    },

    streamExistingAIResponseInSite: ({ path: { siteId, responseId: id }, query: { after } }, context) =>
      follow(after === undefined ? { id, known: 0, sent: 0 } : placeIn(after), siteId, context),
  };
}

function placeIn(after: string): Place {
  const [id = '', known, sent] = after.split('.');
  return { id, known: Number(known), sent: Number(sent) };
}

/** The texts of messages in Markdown. Throws 400 for a document that none can be made of. */
async function textsOf(call: Call, organization: string, input: Input): Promise<string[]> {
  const texts = input.map(({ content }) =>
    typeof content === 'string' ? { markdown: content } : { document: content },
  );
  const read = await call(readTexts, { organization, texts });
  return read.map((text, at) => {
    if ('refused' in text) throw invalid(`input.${at}.content: ${text.refused}`);
    return text.markdown;
  });
}

type Block = Extract<ResponseEvent, { type: 'response_document' }>['blocks'][number];

/** The events that bring a reader from a place to the answer as it is now. */
function responsePiece(followed: FollowedAnswer, { id, known, sent }: Place): Piece {
  const { isComplete, version, answer } = followed;
  if (version <= known) return eventPiece(undefined, `${id}.${version}.${sent}`);
  const messageId = `${id}-answer`;
  const { answer: text } = answer;
  const body: Block[] = text && 'document' in text ? text.document.nodes : [];
  const blocks = isComplete && body.length > 0 ? [...body, ...sourceBlocks(followed)] : body;
  const changes = (operation: 'insert' | 'update', changed: Block[]): ResponseEvent[] =>
    changed.length === 0 ? [] : [{ type: 'response_document', messageId, stepIndex: 0, operation, blocks: changed }];
  const suggestions = answer.followupQuestions;
  const events: ResponseEvent[] = [
    ...changes('update', sent > 0 ? blocks.slice(sent - 1, sent) : []),
    ...changes('insert', blocks.slice(sent)),
    ...(isComplete && suggestions.length > 0
      ? [{ type: 'response_followup_suggestion' as const, messageId, suggestions }]
      : []),
    ...(isComplete ? [{ type: 'response_finish' as const, messageId, responseId: id, response: { id } }] : []),
  ];
  const lines = events.map((event) => eventPiece(event, null).lines).join('');
  return { lines: lines || ':\n\n', after: isComplete ? null : `${id}.${version}.${Math.max(sent, blocks.length)}` };
}

const textNode = (text: string): Block => ({ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] });

/** The cited pages, a paragraph each, which the numbers in the text stand for. */
const sourceBlocks = ({ pages }: FollowedAnswer): Block[] =>
  pages.map(({ space, page, title }, at) => ({
    object: 'block',
    type: 'paragraph',
    isVoid: false,
    data: {},
    nodes: [
      textNode(`[${at + 1}] `),
      {
        object: 'inline',
        type: 'link',
        isVoid: false,
        data: { ref: { kind: 'page', page, space } },
        nodes: [textNode(title)],
      },
    ],
  }));
