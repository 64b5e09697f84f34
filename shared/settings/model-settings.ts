import { z } from 'zod';
import { plainUrl } from './fields.js';

/** The settings of the model that answers questions and translates. */
export const modelSettings = {
  MODEL_URL: plainUrl.optional().meta({
    description:
      'Base URL of a server that speaks the protocol of OpenAI, such as `http://127.0.0.1:11434/v1`: a model there answers questions and translates. It is sent pages of those who ask. Default: none, and nothing of the kind is offered.',
  }),
  MODEL_NAME: z.string().min(1).max(200).optional().meta({
    description: 'Name of the model on that server. Required with `MODEL_URL`.',
  }),
  MODEL_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,2000}$/, 'must be ASCII characters without spaces')
    .optional()
    .meta({ description: 'Key for that server, sent as a bearer token. Default: none is sent.' }),
  MODEL_CONTEXT_TOKENS: z.coerce.number().int().min(1024).max(1_000_000).default(8192).meta({
    description: 'Tokens that the model takes at once: what it is sent and what it answers.',
  }),
  MODEL_ANSWER_TOKENS: z.coerce.number().int().min(64).max(100_000).default(1024).meta({
    description: 'The most tokens of one answer of the model; less than half of `MODEL_CONTEXT_TOKENS`.',
  }),
  MODEL_REQUESTS: z.coerce.number().int().min(1).max(1000).default(8).meta({
    description: 'Requests to the model that a process sends at once; an organization has half of them at most.',
  }),
  MODEL_TOKENS_PER_DAY: z.coerce.number().int().min(0).default(1_000_000).meta({
    description: 'Tokens that an organization may use of the model in a day (UTC); 0 turns the limit off.',
  }),
  MODEL_QUESTIONS_PER_HOUR: z.coerce.number().int().min(0).default(60).meta({
    description: 'Questions that a person, or the visitors of one address, may ask in an hour; 0 turns the limit off.',
  }),
};

interface ModelSettings {
  MODEL_URL?: string | undefined;
  MODEL_NAME?: string | undefined;
  MODEL_CONTEXT_TOKENS: number;
  MODEL_ANSWER_TOKENS: number;
}

/** Problems between the settings of the model. */
export const modelProblems = (settings: ModelSettings): string[] => [
  ...(settings.MODEL_URL && !settings.MODEL_NAME ? ['MODEL_NAME: required with MODEL_URL'] : []),
  ...(settings.MODEL_ANSWER_TOKENS * 2 > settings.MODEL_CONTEXT_TOKENS
    ? ['MODEL_ANSWER_TOKENS: must be at most half of MODEL_CONTEXT_TOKENS']
    : []),
];
