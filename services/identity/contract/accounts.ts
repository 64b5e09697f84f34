import { z } from 'zod';
import { timestampSchema, webUrlSchema } from '../../../shared/contract/fields.js';
import { operation } from '../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../shared/lists/paging.js';
import { apiTokenSchema, createdApiTokenSchema, userSchema } from '../resources.js';
import { anyUser } from './access-rules.js';

export const userOperations = {
  getAuthenticatedUser: operation({
    method: 'GET',
    path: '/user',
    summary: 'Get the user of the token',
    tag: 'Users',
    access: anyUser,
    status: 200,
    response: userSchema,
  }),
  getUserById: operation({
    method: 'GET',
    path: '/users/{userId}',
    summary: 'Get a user',
    description:
      'Oneself, or somebody in an organization that the token reaches; 404 for all others. Visitors of a site get the name and the photo of members, whom pages may mention.',
    tag: 'Users',
    access: { caller: ['user', 'content'] },
    status: 200,
    response: userSchema,
  }),
  updateUserById: operation({
    method: 'PATCH',
    path: '/users/{userId}',
    summary: "Update the caller's own profile",
    tag: 'Users',
    access: anyUser,
    body: z
      .object({
        displayName: z.string().trim().min(1).max(64).optional(),
        photoURL: webUrlSchema.optional(),
        commentMails: z
          .boolean()
          .optional()
          .meta({ description: 'Whether mails tell the user of mentions and of replies.' }),
      })
      .meta({
        examples: [
          { displayName: 'Ada Lovelace', photoURL: 'https://www.example.com/people/ada.png' },
          { commentMails: false },
        ],
      }),
    status: 200,
    response: userSchema,
  }),
};

export const apiTokenOperations = {
  createUserToken: operation({
    method: 'POST',
    path: '/user/tokens',
    summary: 'Create an API token',
    description:
      'Only this answer holds the secret. The new token reaches no further than the token that creates it, expires no later, and is revoked with it.',
    tag: 'Users',
    access: anyUser,
    body: z
      .object({
        label: z.string().min(1).max(50),
        expiresAt: timestampSchema
          .optional()
          .meta({ description: 'When the token expires. Default and latest: when the token that creates it does.' }),
      })
      .meta({ examples: [{ label: 'Continuous integration', expiresAt: '2035-01-01T00:00:00.000Z' }] }),
    status: 201,
    response: createdApiTokenSchema,
  }),
  listUserTokens: operation({
    method: 'GET',
    path: '/user/tokens',
    summary: 'List the API tokens of the user',
    tag: 'Users',
    access: anyUser,
    query: pageQuery,
    status: 200,
    response: listOf(apiTokenSchema),
  }),
  deleteUserToken: operation({
    method: 'DELETE',
    path: '/user/tokens/{tokenId}',
    summary: 'Revoke an API token',
    description: 'With it, all tokens are revoked that were created with it, and with those.',
    tag: 'Users',
    access: anyUser,
    changesCaller: true,
    status: 205,
  }),
};
