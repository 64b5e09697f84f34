import type { Assets } from '../../../shared/assets/open-assets.js';
import type { Caller } from '../../../shared/contract/caller.js';
import type { Call } from '../../../shared/contract/service.js';
import type { Log } from '../../../shared/monitoring/log.js';
import type { Config } from '../../../shared/settings/config.js';
import type { FairTurns } from '../../../shared/work/fair-turns.js';
import type { ReaderRequest } from '../contract.js';
import type { Visit } from '../visits/visit.js';
import type { VisitorInput } from '../visits/visitor-input.js';
import type { Visits } from '../visits/visits.js';
import type { RequestPlace } from './addresses.js';
import type { Pdfs } from './pdfs.js';
import type { SiteTrees } from './site-trees.js';

/** The dependencies of the pages of sites. */
export interface ReaderDependencies {
  config: Pick<Config, 'baseUrl'>;
  assets: Assets;
  visits: Visits;
  trees: SiteTrees;
  log: Log;
  callAs: (caller: Caller) => Call;
  /** Documents for printing that are being made. */
  prints: FairTurns;
  /** Absent where no browser makes them. */
  pdfs?: Pdfs;
  /** Makes the ids of visitors without a cookie. */
  visitorKey: Buffer;
}

/** A request for something of a site. */
export interface SiteRequest extends RequestPlace {
  request: ReaderRequest;
  visitor: VisitorInput;
  visit: Visit;
  /** The site is shown at the host of the API, where nothing foreign may run. */
  isOnBase: boolean;
}
