import type { Log } from '../../../shared/monitoring/log.js';
import { scaleMs } from '../../../shared/settings/time-scale.js';
import { timestamp } from '../../../shared/values/ids.js';
import { type CheckDependencies, checkDomain } from './checks.js';
import { type DomainDocument, domains } from './model.js';

const pollMs = 2_000;
/** Checks at a time in one process: most of their time they wait for name servers. */
const maxAtOnce = 32;
/** Checks at a time for one organization: its name servers may never answer, and must not hold up the others. */
const maxOfOrganization = 4;
/** A check takes less; after this long, another process repeats that of a process that died. */
const leaseMs = scaleMs(60_000);

/** Checks domains when they are due, each in one process. */
export class CheckSchedule {
  private readonly running = new Set<Promise<void>>();
  private readonly byOrganization = new Map<string, number>();
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private unlisten = () => {};

  constructor(
    private readonly deps: CheckDependencies,
    private readonly log: Log,
  ) {}

  start(): void {
    this.unlisten = this.deps.store.listen(domains, () => this.startRunner());
    this.timer = setInterval(() => this.startRunner(), pollMs).unref();
    this.startRunner();
  }

  /** Looks for due domains now: at each poll, and after each batch that claims some. */
  private startRunner(): void {
    if (!this.timer || this.stopping.signal.aborted || this.running.size >= maxAtOnce) return;
    const run = this.runDueChecks()
      .catch((err) => this.log.warn({ err }, 'checking domains failed; will retry'))
      .finally(() => this.running.delete(run));
    this.running.add(run);
  }

  async stop(): Promise<void> {
    this.unlisten();
    clearInterval(this.timer);
    this.stopping.abort();
    await Promise.all(this.running);
  }

  private async runDueChecks(): Promise<void> {
    const { signal } = this.stopping;
    for (let claim = await this.claimNext(); claim && !signal.aborted; claim = await this.claimNext()) {
      const { organization } = claim;
      this.countRunning(organization, 1);
      this.startRunner();
      await checkDomain(this.deps, { claim, signal }).finally(() => this.countRunning(organization, -1));
    }
  }

  /** Takes the domain that has been due for longest, of an organization whose turn it is; null while there is none. */
  private async claimNext(): Promise<DomainDocument | null> {
    const { store } = this.deps;
    const now = Date.now();
    const busy = [...this.byOrganization].flatMap(([id, running]) => (running < maxOfOrganization ? [] : [id]));
    const due = { dueAt: { $lte: timestamp(new Date(now)) }, organization: { $nin: busy } };
    if (!(await store.findOne(domains, due, { fields: ['dueAt'] }))) return null;
    const leased = { $set: { dueAt: timestamp(new Date(now + leaseMs)) } };
    return store.update(domains, due, leased, { sort: { dueAt: 1 } });
  }

  private countRunning(organization: string, by: 1 | -1): void {
    const running = (this.byOrganization.get(organization) ?? 0) + by;
    if (running > 0) this.byOrganization.set(organization, running);
    else this.byOrganization.delete(organization);
  }
}
