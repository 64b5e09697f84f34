import { type Log, onceASecond } from '../../../../shared/monitoring/log.js';
import { newId } from '../../../../shared/values/ids.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import type { Feedback, View, Views } from '../../contract.js';
import { activeInstallations } from '../../installations/reach/coverage.js';
import { events } from '../queue/model.js';
import type { NewEvent, QueueDependencies } from '../queue/queue.js';
import { Audience, makeEvents, type Notice, queueAll } from './notify.js';

type Dependencies = QueueDependencies & { log: Log };

/** Events of an installation that may wait before views are left out. */
const maxWaiting = 1000;

const siteView = { scope: 'site:views:read', type: 'site_view' } as const;
const pageFeedback = { scope: 'page:feedback:read', type: 'page_feedback' } as const;
const spaceView = { scope: 'space:views:read', type: 'space_view' } as const;

/** Whether any integration in an organization wants to know of the views of sites or spaces, or of feedback. */
export async function wantsViews(
  deps: QueueDependencies,
  { organization }: { organization: string },
): Promise<boolean> {
  const audience = new Audience(deps);
  for (const active of await activeInstallations(deps, organization))
    for (const view of [siteView, spaceView, pageFeedback]) if (await audience.isFor(active, view)) return true;
  return false;
}

/** Queues views for the integrations that want them, but none for those that have too many events waiting. */
export function noteViews(deps: Dependencies): (views: Views) => Promise<void> {
  const { store, log } = deps;
  const tell = onceASecond(log);

  async function withRoom(added: NewEvent[]): Promise<NewEvent[]> {
    const kept: NewEvent[] = [];
    const waiting = new Map<string, number>();
    for (const event of added) {
      const lane = event.installation as string;
      const count = waiting.get(lane) ?? (await store.count(events, { lane }));
      waiting.set(lane, count + 1);
      if (count < maxWaiting) kept.push(event);
      else tell('warn', lane, { installation: lane }, 'views were not told to an integration that has too many events');
    }
    return kept;
  }

  return async ({ organization, site, views, feedback = [] }) => {
    const notices = [
      ...views.flatMap((view) => viewNotices(view, { organization, site })),
      ...feedback.map((each) => feedbackNotice(each, { organization, site })),
    ];
    await queueAll(deps, await withRoom(await makeEvents(new Audience(deps), notices)));
  };
}

function viewNotices(view: View, { organization, site }: Pick<Views, 'organization' | 'site'>): Notice[] {
  const { space } = view;
  const id = newId();
  const seen = viewPayload(view);
  return [
    { ...siteView, id: `${id}-site`, organization, kind: 'site', target: site, data: { ...viewIds(view), ...seen } },
    ...(space === undefined
      ? []
      : [{ ...spaceView, id: `${id}-space`, organization, kind: 'space', target: space, data: seen } as const]),
  ];
}

const feedbackNotice = (feedback: Feedback, { organization, site }: Pick<Views, 'organization' | 'site'>): Notice => ({
  ...pageFeedback,
  id: newId(),
  organization,
  kind: 'site',
  target: site,
  data: { ...viewIds(feedback), ...viewPayload(feedback), feedback: feedback.feedback },
});

const viewPayload = ({ page, visitor, url, referrer }: View) => ({
  ...(page === undefined ? {} : { pageId: page }),
  visitor,
  url,
  referrer,
});

const viewIds = ({ space, siteSpace }: View) => omitUndefined({ spaceId: space, siteSpaceId: siteSpace });
