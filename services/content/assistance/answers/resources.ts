import { z } from 'zod';
import { documentSchema } from '../../format/resources.js';

/** Characters of a question. */
export const maxQuestion = 512;

/** As the public API has it: the text in the format that was asked for. */
export const answerSchema = z
  .object({
    answer: z
      .union([z.object({ markdown: z.string() }), z.object({ document: documentSchema })])
      .optional()
      .meta({ description: 'Absent while there is no text, and where the pages do not answer the question.' }),
    followupQuestions: z.array(z.string()),
    sources: z
      .array(
        z
          .object({
            type: z.literal('page'),
            reason: z.string().optional(),
            page: z.string(),
            revision: z.string(),
            space: z.string(),
            sections: z.array(z.string()).meta({ description: 'Ids of sections, as search has them.' }),
          })
          .meta({ id: 'SearchAIAnswerSource' }),
      )
      .meta({ description: '`[1]` in the text cites the first of them.' }),
  })
  .meta({ id: 'SearchAIAnswer' });
export type ShownAnswer = z.output<typeof answerSchema>;

export const answerEventSchema = z
  .object({ type: z.literal('answer'), answer: answerSchema })
  .meta({ id: 'SearchAIAnswerStream', description: 'The whole answer so far.' });

export const questionEventSchema = z.object({ question: z.string() }).meta({ id: 'SearchAIRecommendedQuestionStream' });

export const answerFormat = z
  .enum(['document', 'markdown'])
  .default('document')
  .meta({ description: 'Format of the text.' });
export type AnswerFormat = z.output<typeof answerFormat>;

/** Names an answer, and the state of it that was seen last. */
export const answerAfter = z
  .string()
  .regex(/^[0-9A-Z]{26}\.\d{1,9}$/, 'must be the place where an answer goes on')
  .optional()
  .meta({ description: 'Where an answer that broke off goes on: the `id` of its last event.' });
