import { z } from 'zod';
import { commentTextFields } from '../content/resources.js';

export const commentReplySchema = z
  .object({ object: z.literal('comment-reply'), ...commentTextFields })
  .meta({ id: 'CommentReply' });
export type CommentReply = z.output<typeof commentReplySchema>;
