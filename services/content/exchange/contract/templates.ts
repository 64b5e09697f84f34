import { z } from 'zod';
import { operation } from '../../../../shared/contract/operation.js';
import { changingContent } from '../../core/contract/access-rules.js';
import { templateSchema } from '../../core/contract/fields.js';

/** The templates that ship with the product, by their ids. */
export const spaceTemplates = ['documentation', 'api-reference', 'knowledge-base', 'changelog'] as const;

export const templateOperations = {
  applyTemplateToSpace: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/content/template',
    summary: 'Fill an empty space with a template',
    description: `The templates are ${spaceTemplates.map((id) => `\`${id}\``).join(', ')}. 409 where there are pages already.`,
    tag: 'Content',
    access: changingContent('edit'),
    body: templateSchema
      .extend({
        changeRequestId: z
          .string()
          .min(1)
          .max(100)
          .optional()
          .meta({ description: 'Fills a change request, by its id or number, instead of the content of the space.' }),
      })
      .meta({ examples: [{ id: 'documentation' }] }),
    status: 201,
  }),
};
