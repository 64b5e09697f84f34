import { question, verb } from '../../../shared/contract/verb.js';
import type { User } from '../resources.js';
import type { OpenedSession } from './sessions.js';

/** A provider on the sign-in screen. */
export interface OfferedProvider {
  kind: 'saml' | 'oidc';
  label: string;
  /** The title of its organization. */
  organization: string;
  startURL: string;
}

/**
 * Lists the providers of the operator's own organization and, for an address, those of the organization that has proven its domain.
 */
export const listSignInProviders = question<{ email?: string }, OfferedProvider[]>('identity', 'listSignInProviders');

export interface SignInStart {
  /** The address at the identity provider to send the browser to. */
  redirect: string;
}

/** Names the browser and the network that begin a sign-in at a provider. */
export interface SignInStarting {
  provider: string;
  /** The secret of the browser. */
  browser: string;
  network: string;
  /** A path of this server to which the sign-in leads. 400 for anything else. */
  returnTo?: string;
}

/** The session of a browser after a single sign-on. */
export interface EnteredSession extends OpenedSession {
  /** Where its start wanted to lead. */
  returnTo?: string;
}

/**
 * Starts a sign-in through a SAML provider, for the browser that holds the secret `browser` and the network of its client. `session` is the SHA-256 of the
 * secret of the session that it has, which ends when the sign-in opens another one.
 */
export const startSamlSignIn = verb<SignInStarting & { session?: string }, SignInStart>('identity', 'startSamlSignIn');

export interface SamlAnswer {
  provider: string;
  /** The `SAMLResponse` field of the form: base64. */
  response: string;
  /** The secret of the browser; empty without one. */
  browser: string;
  /** The network of the client. */
  network: string;
}

/**
 * Finishes a sign-in of the same browser: exchanges the answer of the identity provider for an API token of its organization.
 * The networks of clients take turns.
 */
export const finishSamlSignIn = verb<
  SamlAnswer,
  { token: string; expiresAt: string; organization: string; user: User }
>('identity', 'finishSamlSignIn');

/** Finishes a sign-in of the same browser as `finishSamlSignIn` does, and opens a session in it. */
export const openSessionBySaml = verb<SamlAnswer & { agent: string }, EnteredSession>('identity', 'openSessionBySaml');

/** Returns our service provider metadata, as XML for the identity provider. */
export const samlMetadata = question<{ provider: string }, { xml: string }>('identity', 'samlMetadata');

/** Starts a sign-in through an OpenID Connect provider. 403 where the provider does not answer as it should. */
export const startOIDCSignIn = verb<SignInStarting, SignInStart>('identity', 'startOIDCSignIn');

export interface OIDCAnswer {
  provider: string;
  /** The query with which the provider sent the browser back. */
  parameters: string;
  /** The secret of the browser. */
  browser: string;
  agent: string;
}

/** Finishes a sign-in of the same browser, and opens a session in it. 403 for an answer that cannot be trusted, or a person who may not sign in. */
export const finishOIDCSignIn = verb<OIDCAnswer, EnteredSession>('identity', 'finishOIDCSignIn');
