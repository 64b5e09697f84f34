import { z } from 'zod';
import { operation } from '../../../../shared/contract/operation.js';
import { readingSpace } from '../../core/contract/access-rules.js';
import { embedSchema } from '../resources.js';

const embeddedUrl = z
  .string()
  .max(2048)
  .refine((url) => /^https?:\/\//i.test(url) && URL.canParse(url), 'must be an http or https URL');

const embed = {
  method: 'GET',
  description:
    'As the site of the URL says by oEmbed, Open Graph or its title; made from the URL alone where the site cannot be reached or is slow.',
  tag: 'Content',
  query: z.object({ url: embeddedUrl }),
  status: 200,
  response: embedSchema,
} as const;

export const embedOperations = {
  getEmbedByUrlInSpace: operation({
    ...embed,
    path: '/spaces/{spaceId}/embed',
    summary: 'Get the embed of a URL in a space',
    description: `${embed.description} A block of an integration of the space that unfurls the URL comes first.`,
    access: readingSpace,
  }),
  getEmbedByUrl: operation({
    ...embed,
    path: '/urls/embed',
    summary: 'Get the embed of a URL',
    access: { caller: ['user', 'content', 'integration', 'installation'] },
  }),
};
