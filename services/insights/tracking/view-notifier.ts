import { LRUCache } from 'lru-cache';
import type { Call, Context } from '../../../shared/contract/service.js';
import { type Log, onceASecond, type Tell } from '../../../shared/monitoring/log.js';
import { type Feedback, noteViews, type View, wantsViews } from '../../integrations/contract.js';
import type { InsightsEvent } from '../events/resources.js';

/** Milliseconds for which it is remembered whether integrations want views: a new installation may miss them for that long. */
const wantedMs = 5000;
const maxOrganizations = 10_000;
/** Requests whose views are being passed on at once; the views of further requests are left out. */
const maxAtOnce = 16;
/** Characters of the cookies that are passed on with a view; larger ones are left out. */
const maxCookieLength = 4096;

export interface Seen {
  organization: string;
  site: string;
  events: InsightsEvent[];
  client: Context['client'];
}

/** Sends page views and the feedback on pages to the integrations that want them. A failure is only logged: no event waits for it. */
export class ViewNotifier {
  private readonly wanted = new LRUCache<string, Promise<boolean>>({ max: maxOrganizations, ttl: wantedMs });
  private readonly tellLog: Tell;
  private open = 0;

  constructor(private readonly options: { callAsSystem: () => Call; log: Log }) {
    this.tellLog = onceASecond(options.log);
  }

  /** Returns at once. */
  notify(seen: Seen): void {
    if (!seen.events.some((event) => isView(event) || isFeedback(event))) return;
    if (this.open >= maxAtOnce) {
      this.tellLog('warn', 'busy', {}, 'too many views at once; some were not told to integrations');
      return;
    }
    this.open += 1;
    void this.passOnViews(seen)
      .catch((err) => this.tellLog('warn', 'failed', { err }, 'telling integrations of views failed'))
      .finally(() => {
        this.open -= 1;
      });
  }

  private async passOnViews(seen: Seen): Promise<void> {
    const { organization, site } = seen;
    if (await this.isWanted(organization))
      await this.options.callAsSystem()(noteViews, { organization, site, ...viewsIn(seen) });
  }

  private isWanted(organization: string): Promise<boolean> {
    const known = this.wanted.get(organization);
    if (known) return known;
    const asked = this.options.callAsSystem()(wantsViews, { organization });
    this.wanted.set(organization, asked);
    asked.catch(() => this.wanted.delete(organization));
    return asked;
  }
}

const isView = ({ type }: InsightsEvent): boolean => type === 'page_view';

const isFeedback = (event: InsightsEvent) =>
  event.type === 'page_post_feedback' || event.type === 'page_post_feedback_comment';

const viewsIn = ({ events, client }: Seen): { views: View[]; feedback: Feedback[] } => ({
  views: events.filter(isView).map((event) => viewOf(event, client)),
  feedback: events.flatMap((event) =>
    isFeedback(event) ? { ...viewOf(event, client), feedback: event.feedback } : [],
  ),
});

function viewOf({ session, location }: InsightsEvent, client: Seen['client']): View {
  const { space, siteSpace, page } = location;
  const { visitorId: anonymousId, userAgent, language, ip = client.address, cookies } = session;
  return {
    ...(space === null ? {} : { space }),
    ...(siteSpace === null ? {} : { siteSpace }),
    ...(page === null ? {} : { page }),
    visitor: {
      anonymousId,
      cookies: JSON.stringify(cookies).length > maxCookieLength ? {} : cookies,
      userAgent,
      ip,
      ...(language === null ? {} : { language }),
    },
    url: location.url,
    referrer: session.referrer ?? '',
  };
}
