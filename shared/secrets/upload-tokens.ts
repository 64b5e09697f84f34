import type { Secrets } from './secrets.js';
import { type SignedTokens, signedTokens } from './signed-tokens.js';

/** The tokens in the URLs that take uploads. */
export const uploadTokens = (secrets: Secrets, issuer: string): SignedTokens =>
  signedTokens(secrets, { purpose: 'uploads', issuer });
