import type { Secrets } from '../../../../shared/secrets/secrets.js';
import type { Installation, SiteInstallation, SpaceInstallation } from '../resources.js';

/** Removed installations, as scripts get them with the event about the removal. */
export interface Formerly {
  installation: Installation;
  spaceInstallation?: SpaceInstallation;
  siteInstallation?: SiteInstallation;
}

/** Seals what an event keeps of a removed installation: encrypted, because it holds configurations. */
export const sealFormerState = ({ secrets }: { secrets: Secrets }, formerly: Formerly): string =>
  secrets.encrypt(JSON.stringify(formerly));

export const openFormerState = ({ secrets }: { secrets: Secrets }, sealed: string): Formerly =>
  JSON.parse(secrets.decrypt(sealed));
