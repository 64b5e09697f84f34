import type { Secrets } from '../../../../shared/secrets/secrets.js';
import type { Installation, SiteInstallation, SpaceInstallation } from '../resources.js';

/** What scripts get of an installation that is gone when they are told so. */
export interface Formerly {
  installation: Installation;
  spaceInstallation?: SpaceInstallation;
  siteInstallation?: SiteInstallation;
}

/** In the form in which an event keeps it: encrypted, because it holds configurations. */
export const sealedBefore = ({ secrets }: { secrets: Secrets }, formerly: Formerly): string =>
  secrets.encrypt(JSON.stringify(formerly));

export const openedBefore = ({ secrets }: { secrets: Secrets }, sealed: string): Formerly =>
  JSON.parse(secrets.decrypt(sealed));
