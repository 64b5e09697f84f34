import type { BlobLinks } from '../../../shared/blobs/links.js';
import type { Blobs } from '../../../shared/blobs/port.js';
import type { Call } from '../../../shared/contract/service.js';
import type { Jobs } from '../../../shared/jobs/jobs.js';
import type { Outbox } from '../../../shared/jobs/outbox.js';
import type { Log } from '../../../shared/monitoring/log.js';
import type { Secrets } from '../../../shared/secrets/secrets.js';
import type { Store } from '../../../shared/store/port.js';
import type { Runtime } from '../runtime/runtime.js';
import type { Administering } from './administering.js';

export interface CatalogueDependencies {
  /** The public address of the server, without a slash at the end. */
  baseUrl: string;
  /** The address below which scripts answer requests, without a slash at the end. */
  endpointsUrl: string;
  log: Log;
  store: Store;
  blobs: Blobs;
  links: BlobLinks;
  secrets: Secrets;
  outbox: Outbox;
  jobs: Jobs;
  /** Private addresses that may be called, as ranges. */
  allowCidrs: readonly string[];
  runtime: Runtime;
  administering: Administering;
  /** Calls other services for work that belongs to no request. */
  callAsSystem: () => Call;
}
