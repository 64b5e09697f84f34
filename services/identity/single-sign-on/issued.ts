import { type Write, write } from '../../../shared/store/port.js';
import { newApiToken } from '../accounts/api-tokens.js';
import { apiTokens } from '../accounts/model.js';
import type { SamlProviderDocument } from '../organizations/model.js';
import { presentUser, type UserDocument } from '../users/model.js';
import type { User } from '../users/resources.js';

/** A token that a sign-in is exchanged for, and the writes that store it. */
export interface Issued<T> {
  type: 'api-token';
  id: string;
  writes: Write[];
  answer: T;
}

export type Issue<T> = (admitted: { user: UserDocument; expiresAt: string }) => Promise<Issued<T>>;

type Issuer = Pick<SamlProviderDocument, '_id' | 'organization' | 'label'>;

/** An API token of a single sign-on, as a client gets it. */
export interface SignedIn {
  token: string;
  expiresAt: string;
  organization: string;
  user: User;
}

/** Issues API tokens that reach the organization of a provider. */
export const tokenIssue =
  (baseUrl: string, { _id: provider, organization: scope, label }: Issuer): Issue<SignedIn> =>
  async ({ user, expiresAt }) => {
    const { document, secret } = newApiToken({ user: user._id, label: `SSO ${label}`, expiresAt, scope, provider });
    return {
      type: 'api-token',
      id: document._id,
      writes: [write.insert(apiTokens, document)],
      answer: {
        token: secret,
        expiresAt,
        organization: scope,
        user: presentUser(baseUrl, user, { withEmail: true }),
      },
    };
  };
