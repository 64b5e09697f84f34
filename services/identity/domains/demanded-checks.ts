import { apiError } from '../../../shared/errors/errors.js';

const maxAtOnce = 64;
const maxOfOrganization = 4;

/** Bounds the checks that people wait for, so that name servers which never answer hold up nobody else. */
export class DemandedChecks {
  private running = 0;
  private readonly byOrganization = new Map<string, number>();

  /** Throws 429 while four checks of the organization are running, 503 while 64 are running in this process. */
  async run<T>(organization: string, check: () => Promise<T>): Promise<T> {
    const own = this.byOrganization.get(organization) ?? 0;
    if (own >= maxOfOrganization)
      throw apiError('RATE_LIMITED', 'Several domains are being checked; try again in a few seconds');
    if (this.running >= maxAtOnce)
      throw apiError('UNAVAILABLE', 'Too many domains are being checked; try again later', 'busy');
    this.countRunning(organization, 1);
    try {
      return await check();
    } finally {
      this.countRunning(organization, -1);
    }
  }

  private countRunning(organization: string, by: 1 | -1): void {
    this.running += by;
    const own = (this.byOrganization.get(organization) ?? 0) + by;
    if (own > 0) this.byOrganization.set(organization, own);
    else this.byOrganization.delete(organization);
  }
}
