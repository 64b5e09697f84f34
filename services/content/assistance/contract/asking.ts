import { z } from 'zod';
import { eventPiece, operation, type Piece, pieceSchema } from '../../../../shared/contract/operation.js';
import { onOrganization } from '../../../identity/resources.js';
import {
  answerAfter,
  answerEventSchema,
  answerFormat,
  answerSchema,
  maxQuestion,
  questionEventSchema,
} from '../resources.js';
import type { FollowedAnswer } from './answering.js';

const tag = 'Ask';
const query = z.string().min(1).max(maxQuestion).meta({ description: 'The question.' });
/** Milliseconds for an answer that comes whole. */
const wholeAnswerMs = 120_000;

export const askingOperations = {
  askInOrganization: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/ask',
    summary: 'Ask a question in an organization',
    description:
      'The model of the installation answers from the pages of spaces that the caller may read. An answer without `answer` says that they do not tell.',
    tag,
    access: onOrganization('view'),
    query: z.object({ format: answerFormat }),
    body: z
      .object({
        query,
        previousQueries: z
          .array(z.string().max(maxQuestion))
          .max(10)
          .optional()
          .meta({ description: 'Questions before this one, the last one last.' }),
      })
      .meta({ examples: [{ query: 'How do I install it?' }] }),
    timeoutMs: wholeAnswerMs,
    status: 200,
    response: z.object({ answer: answerSchema.optional() }),
  }),
  streamAskInOrganization: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/ask/stream',
    summary: 'Ask a question in an organization, and follow the answer',
    description: 'Each event has the whole answer so far.',
    tag,
    access: onOrganization('view'),
    safe: false,
    query: z.object({ query, format: answerFormat, after: answerAfter }),
    status: 200,
    response: pieceSchema,
    events: answerEventSchema,
  }),
  getRecommendedQuestionsInOrganization: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/ask/questions',
    summary: 'List questions to ask in an organization',
    description: 'They are made from titles of pages that the caller may read, and kept for a week.',
    tag,
    access: onOrganization('view'),
    safe: false,
    timeoutMs: wholeAnswerMs,
    status: 200,
    response: z.object({ questions: z.array(z.string()) }).meta({ id: 'SearchAIRecommendedQuestions' }),
  }),
  streamRecommendedQuestionsInOrganization: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/ask/questions/stream',
    summary: 'List questions to ask in an organization, as events',
    description: 'An event for each question.',
    tag,
    access: onOrganization('view'),
    safe: false,
    timeoutMs: wholeAnswerMs,
    status: 200,
    response: pieceSchema,
    events: questionEventSchema,
  }),
};

/** The id and the version in the place where an answer goes on. */
export function placeIn(after: string): { id: string; known: number } {
  const [id = '', known] = after.split('.');
  return { id, known: Number(known) };
}

/** The piece that has an answer as far as it is made; without news, that the connection lives. */
export function answerPiece(
  { isComplete, version, answer }: FollowedAnswer,
  { id, known }: { id: string; known: number },
): Piece {
  const event = version > known ? { type: 'answer', answer } : undefined;
  return eventPiece(event, isComplete ? null : `${id}.${version}`);
}

/** The piece before an answer of which nothing is known. */
export const beginningPiece = (id: string): Piece => eventPiece(undefined, `${id}.0`);

/** All questions, an event each. */
export const questionsPiece = (questions: string[]): Piece => ({
  lines: questions.map((question) => eventPiece({ question }, null).lines).join(''),
  after: null,
});
