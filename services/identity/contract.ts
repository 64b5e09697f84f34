import { z } from 'zod';
import type { Caller } from '../../shared/contract/caller.js';
import { defineContract, operation, verb } from '../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../shared/paging.js';
import {
  apiTokenSchema,
  emailDomainSchema,
  organizationKind,
  organizationSchema,
  organizationTypes,
  timestampSchema,
  useCases,
  userSchema,
} from './resources.js';

const user = { caller: ['user'] } as const;

export const identityContract = defineContract('identity', {
  getAuthenticatedUser: operation({
    method: 'GET',
    path: '/user',
    summary: 'Get the user of the token',
    tag: 'Users',
    access: user,
    status: 200,
    response: userSchema,
  }),
  createUserToken: operation({
    method: 'POST',
    path: '/user/tokens',
    summary: 'Create an API token',
    description: 'Answers the secret, this once.',
    tag: 'Users',
    access: user,
    body: z.object({
      label: z.string().min(1).max(50),
      expiresAt: timestampSchema.optional().meta({ description: 'From then on the token is refused. Default: never.' }),
    }),
    status: 201,
    response: apiTokenSchema.extend({ token: z.string() }).meta({ id: 'CreatedAPIToken' }),
  }),
  listUserTokens: operation({
    method: 'GET',
    path: '/user/tokens',
    summary: 'List the API tokens of the user',
    tag: 'Users',
    access: user,
    query: pageQuery,
    status: 200,
    response: listOf(apiTokenSchema),
  }),
  deleteUserToken: operation({
    method: 'DELETE',
    path: '/user/tokens/{tokenId}',
    summary: 'Revoke an API token',
    tag: 'Users',
    access: user,
    status: 205,
  }),
  getUserById: operation({
    method: 'GET',
    path: '/users/{userId}',
    summary: 'Get a user',
    tag: 'Users',
    access: user,
    status: 200,
    response: userSchema,
  }),
  listOrganizationsForAuthenticatedUser: operation({
    method: 'GET',
    path: '/orgs',
    summary: 'List the organizations of the user',
    tag: 'Organizations',
    access: user,
    query: pageQuery,
    status: 200,
    response: listOf(organizationSchema),
  }),
  createOrganization: operation({
    method: 'POST',
    path: '/orgs',
    summary: 'Create an organization',
    description: 'The caller becomes its first admin.',
    tag: 'Organizations',
    access: user,
    body: z.object({
      title: z.string().min(2).max(255),
      emailDomains: z.array(emailDomainSchema).max(100).default([]),
      type: z.enum(organizationTypes).default('business'),
      useCase: z.enum(useCases).optional(),
    }),
    status: 201,
    response: organizationSchema,
  }),
  getOrganizationById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}',
    summary: 'Get an organization',
    tag: 'Organizations',
    access: { caller: ['user'], on: organizationKind, id: 'organizationId', need: 'view' },
    status: 200,
    response: organizationSchema,
  }),
});

/** Who a token is, by its SHA-256; null for one that is unknown, revoked or expired. */
export const authenticate = verb<{ hash: string }, { caller: Caller; expiresAt?: string } | null>(
  'identity',
  'authenticate',
);

export interface FirstStart {
  organization: string;
  user: string;
  /** Null when `BOOTSTRAP_TOKEN` chose it. */
  token: string | null;
}

/** What this process made on an empty store when it started, told once; null on every later call and start. */
export const takeFirstStart = verb<Record<never, never>, FirstStart | null>('identity', 'takeFirstStart');

/** The first start was told to whoever started it: no later start tells it again. */
export const firstStartTold = verb<Record<never, never>, void>('identity', 'firstStartTold');
