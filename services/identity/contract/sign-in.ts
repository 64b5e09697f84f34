import { z } from 'zod';
import { operation } from '../../../shared/contract/operation.js';
import { createdApiTokenSchema } from '../resources.js';

export const signInOperations = {
  requestSignIn: operation({
    method: 'POST',
    path: '/sign-in',
    summary: 'Request a sign-in link by mail',
    description:
      'The answer is the same whether the address has an account or not. At most 5 mails per hour are sent to an address for one network. 412 where mail is not configured.',
    tag: 'Sign-in',
    access: 'public',
    body: z.object({ email: z.email().max(254) }).meta({ examples: [{ email: 'ada@example.com' }] }),
    status: 204,
  }),
  signIn: operation({
    method: 'POST',
    path: '/sign-in/{code}',
    summary: 'Sign in with the code of a mail',
    description:
      'Answers an API token that is valid for 90 days; only this answer holds its secret. The code of an invite also accepts the invite. A code works once. 404 for a code that is unknown, used or expired.',
    tag: 'Sign-in',
    access: 'public',
    body: z
      .object({ label: z.string().min(1).max(50).default('Sign-in by mail').meta({ description: 'Names the token.' }) })
      .default({ label: 'Sign-in by mail' })
      .meta({ examples: [{ label: 'Work laptop' }] }),
    changesCaller: true,
    status: 201,
    response: createdApiTokenSchema,
  }),
};
