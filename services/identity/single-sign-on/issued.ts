import { type HasStore, type Write, write } from '../../../shared/store/port.js';
import { newApiToken } from '../accounts/api-tokens.js';
import { apiTokens, sessions } from '../accounts/model.js';
import { newSession, sessionWrites } from '../accounts/sessions.js';
import type { OpenedSession } from '../contract/sessions.js';
import type { SamlProviderDocument } from '../organizations/model.js';
import { presentUser, type UserDocument } from '../users/model.js';
import type { User } from '../users/resources.js';

/** A token or a session that a sign-in is exchanged for, and the writes that store it. */
export interface Issued<T> {
  type: 'api-token' | 'session';
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

interface EnteringBrowser {
  agent: string;
  /** SHA-256 of the secret of the session that it had, which ends. */
  former?: string | undefined;
}

/** Issues sessions of a browser that reach the organization of a provider. */
export const sessionIssue =
  (
    { store }: HasStore,
    { _id: provider, organization: scope }: Issuer,
    { agent, former }: EnteringBrowser,
  ): Issue<OpenedSession> =>
  async ({ user, expiresAt: endsAt }) => {
    const { document, opened } = newSession({ user: user._id, agent, scope, provider, endsAt });
    const writes = await sessionWrites(store, document);
    const ended = former === undefined ? [] : [write.delete(sessions, { hash: former })];
    return { type: 'session', id: document._id, writes: [...writes, ...ended], answer: opened };
  };
