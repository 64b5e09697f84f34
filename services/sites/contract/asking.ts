import { z } from 'zod';
import { exampleId } from '../../../shared/contract/examples.js';
import { operation, pieceSchema } from '../../../shared/contract/operation.js';
import {
  answerAfter,
  answerEventSchema,
  answerFormat,
  documentSchema,
  maxQuestion,
  questionEventSchema,
} from '../../content/resources.js';
import { site, visitingSite } from './access-rules.js';
import { searchScope } from './visiting.js';

const tag = 'Ask';
const scope = 'site:ai:ask';
const id = z.string().min(1).max(100);

const messageSchema = z.object({
  role: z.literal('user'),
  content: z.union([z.string().min(1).max(2048), documentSchema]),
  context: z
    .object({ location: z.object({ spaceId: id, pageId: id }).optional() })
    .optional()
    .meta({ description: 'The page that the asker reads: the answer is made from it too.' }),
});

const event = <T extends string, S extends z.ZodRawShape>(type: T, fields: S) =>
  z.object({ type: z.literal(type), messageId: z.string(), ...fields });

const responseEventSchema = z
  .union([
    event('response_document', {
      stepIndex: z.number().int(),
      operation: z.enum(['insert', 'update']).meta({ description: '`update` replaces the last block.' }),
      blocks: z.array(z.looseObject({ object: z.string() })),
    }),
    event('response_followup_suggestion', { suggestions: z.array(z.string()) }),
    event('response_finish', { responseId: z.string(), response: z.object({ id: z.string() }) }),
  ])
  .meta({ id: 'AIStreamResponse' });
export type ResponseEvent = z.output<typeof responseEventSchema>;

/** Where a response goes on: as of an answer, with the number of blocks that were sent. */
const responseAfter = z
  .string()
  .regex(/^[0-9A-Z]{26}\.\d{1,9}\.\d{1,5}$/, 'must be the place where a response goes on')
  .optional()
  .meta({ description: 'Where a response that broke off goes on.' });

export const askingOperations = {
  streamAskInSite: operation({
    method: 'POST',
    path: `${site}/ask`,
    summary: 'Ask a question in a site, and follow the answer',
    description:
      'The model of the installation answers from pages of the site that the visitor sees, or that the user may read. Each event has the whole answer so far. Visitors may ask where the customization of the site has the `ai` mode `search` or `assistant`.',
    tag,
    access: visitingSite(scope),
    query: z.object({ format: answerFormat, after: answerAfter }),
    body: z
      .object({
        question: z.string().min(1).max(maxQuestion),
        context: z
          .object({ siteSpaceId: id.optional() })
          .optional()
          .meta({ description: 'The site space of the asker, which is searched too, unless the scope is `specific`.' }),
        scope: searchScope,
      })
      .meta({
        examples: [
          { question: 'How do I install it?', scope: { mode: 'default' } },
          { question: 'How do I install it?', scope: { mode: 'specific', siteSpaceIds: [exampleId('siteSpace')] } },
        ],
      }),
    status: 200,
    response: pieceSchema,
    events: answerEventSchema,
  }),
  streamRecommendedQuestionsInSite: operation({
    method: 'GET',
    path: `${site}/ask/questions`,
    summary: 'List questions to ask in a site, as events',
    description:
      'They are made from titles of pages that the visitor sees, and kept for a week. Without a filter, of the default site spaces.',
    tag,
    access: visitingSite(scope),
    safe: false,
    timeoutMs: 120_000,
    query: z.object({
      siteSpaceId: id.optional().meta({ description: 'Only for pages of this site space.' }),
      spaceId: id.optional().meta({ description: 'Only for pages of this space.' }),
    }),
    status: 200,
    response: pieceSchema,
    events: questionEventSchema,
  }),
  streamAIResponseInSite: operation({
    method: 'POST',
    path: `${site}/ai/response`,
    summary: 'Talk about a site, and follow the response',
    description:
      'As asking in the site, in conversations. Responses are documents; below the text stand the pages that it cites. A response without a `response_document` says that the pages do not tell.',
    tag,
    access: visitingSite(scope),
    query: z.object({ after: responseAfter }),
    body: z
      .object({
        previousResponseId: id
          .optional()
          .meta({ description: 'The response that the messages go on with, of the same asker.' }),
        input: z.array(messageSchema).min(1).max(10).meta({ description: 'The last message is answered.' }),
        output: z
          .object({ type: z.literal('document') })
          .optional()
          .meta({ description: 'Other formats are not supported.' }),
        model: z
          .enum(['fast', 'reasoning-low', 'reasoning-medium', 'reasoning-high'])
          .optional()
          .meta({ description: 'A wish; an installation has one model, which answers all.' }),
        tools: z.array(z.unknown()).max(0).optional().meta({ description: 'Tools of clients are not supported.' }),
      })
      .meta({ examples: [{ input: [{ role: 'user', content: 'How do I install it?' }] }] }),
    status: 200,
    response: pieceSchema,
    events: responseEventSchema,
  }),
  streamExistingAIResponseInSite: operation({
    method: 'GET',
    path: `${site}/ai/response/{responseId}`,
    summary: 'Follow a response again',
    description: 'Only whoever asked may, for a day.',
    tag,
    access: visitingSite(),
    query: z.object({ after: responseAfter }),
    status: 200,
    response: pieceSchema,
    events: responseEventSchema,
  }),
};
