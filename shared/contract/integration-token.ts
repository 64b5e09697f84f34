import type { Secrets } from '../secrets/secrets.js';
import { signedTokens } from '../secrets/signed-tokens.js';

/** Seconds. */
const lifetime = 3600;

/**
 * The bearer of a token: the publication of an integration (it is another one after it was unpublished), or an installation. `tunnel`: the
 * tunnel to the developer who got the token; absent for the published script.
 */
export type IntegrationSubject = ({ publication: string } | { installation: string }) & { tunnel?: string };

/** The temporary tokens that integrations call the API with. */
export interface IntegrationTokens {
  sign(subject: IntegrationSubject): Promise<string>;
  /**
   * Null for an expired token or one that was not signed here; `expiresAt` is a timestamp. Whether the integration is still published or
   * installed, and the tunnel still stands, is not checked: the integrations service decides that.
   */
  verify(token: string): Promise<{ subject: IntegrationSubject; expiresAt: string } | null>;
}

export function integrationTokens(secrets: Secrets, issuer: string): IntegrationTokens {
  const tokens = signedTokens(secrets, { purpose: 'integration-token', issuer });
  return {
    sign: (subject) => tokens.sign({ ...subject }, lifetime),
    async verify(token) {
      const payload = await tokens.verify(token);
      if (!payload) return null;
      const { publication, installation, tunnel, exp } = payload as {
        publication?: string;
        installation?: string;
        tunnel?: string;
        exp: number;
      };
      const named = installation === undefined ? { publication: publication ?? '' } : { installation };
      const subject = tunnel === undefined ? named : { ...named, tunnel };
      return { subject, expiresAt: new Date(exp * 1000).toISOString() };
    },
  };
}
