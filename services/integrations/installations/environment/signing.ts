import { createHmac } from 'node:crypto';
import type { Secrets } from '../../../../shared/secrets/secrets.js';
import type { EventPlace } from '../../deliveries/queue/model.js';

/** The secrets by which a script recognises requests that it asked for; each is 64 hexadecimal digits and stays the same. */
export interface SigningSecrets {
  integration: string;
  installation?: string;
  spaceInstallation?: string;
  siteInstallation?: string;
}

interface Signed {
  publication: string;
  /** The id of an installation. */
  installation?: string | undefined;
  place?: EventPlace | undefined;
}

/** Derives them from the secret key of Bindery: nothing is stored. */
export function signingSecretsOf(secrets: Secrets, { publication, installation, place }: Signed): SigningSecrets {
  const { key } = secrets.keyFor('integration-signing');
  const secretOf = (...names: string[]) => createHmac('sha256', key).update(names.join(' ')).digest('hex');
  const integration = secretOf('integration', publication);
  if (installation === undefined) return { integration };
  const { space, site } = place ?? {};
  return {
    integration,
    installation: secretOf('installation', installation),
    ...(space === undefined ? {} : { spaceInstallation: secretOf('space', installation, space) }),
    ...(site === undefined ? {} : { siteInstallation: secretOf('site', installation, site) }),
  };
}
