import { z } from 'zod';
import { urlSchema } from '../../../../shared/contract/fields.js';
import { operation } from '../../../../shared/contract/operation.js';
import { onSpace } from '../../core/contract/access-rules.js';
import { spaceSchema } from '../../core/resources.js';

const spaceCopySchema = z
  .object({
    object: z.literal('space-copy'),
    id: z.string().meta({ description: 'The id that the copy will have.' }),
    urls: z.object({ location: urlSchema }),
  })
  .meta({ id: 'SpaceCopy' });

export const copyOperations = {
  duplicateSpace: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/duplicate',
    summary: 'Copy a space',
    description:
      'The copy stands after the space, with its content and settings. The copy of a large space is answered 202 and goes on: it is at `Location` when it is complete.',
    tag: 'Spaces',
    access: onSpace('admin'),
    status: 201,
    response: z.union([spaceSchema, spaceCopySchema]),
    accepted: spaceCopySchema,
  }),
};
