import type { VNode } from 'preact';
import { type ErrorType, failureOf } from '../../../shared/errors/errors.js';
import { insightsContract } from '../../insights/contract.js';
import { sitesContract } from '../../sites/contract.js';
import { Empty, Heading, Notice, Section } from '../elements/elements.js';
import { screen } from '../frame/screen.js';
import { organizationAround } from '../organizations/around.js';
import { type DayVisits, daysWithVisits, lastDays, valuesOf } from './daily-visits.js';
import { type SiteRequest, siteCrumbs, siteOf, siteTabs } from './site-frame.js';
import { namedPages, type ViewedPage } from './viewed-pages.js';
import { dayNames, VisitsChart } from './visits-chart.js';

/** The visits of a site in the last days: as a chart, as a table, and by pages. */
export const visitsScreen = screen({
  path: '/o/{organization}/sites/{site}/visits',
  async show(request) {
    const { call, to, words, path } = request;
    const [site, around, found] = await Promise.all([
      call(sitesContract.getSiteById, { path: siteOf(request) }),
      organizationAround(request, path.organization, to.sites(path.organization)),
      visitsOf(request),
    ]);
    return {
      ...around,
      crumbs: siteCrumbs(request, path.organization),
      title: `${words.visits.title} – ${site.title}`,
      main: (
        <>
          <Heading title={site.title} lead={words.visits.lead} />
          {siteTabs(request, path.organization, site)}
          {visitsView(request, found)}
        </>
      ),
    };
  },
});

interface Visits {
  days: DayVisits[];
  /** Each counted once, on however many days they came. */
  visitors: number;
  pages: ViewedPage[];
}

const maxPages = 10;
const pageViews = [{ column: 'eventType' as const, operator: 'in' as const, values: ['page_view' as const] }];
const counts = [{ column: 'eventsCount' as const }, { column: 'visitorsCount' as const }];

/** Errors of a part that does not answer, or that would take too long to. */
const unanswered: ErrorType[] = ['UNAVAILABLE', 'OUTCOME_UNKNOWN', 'UNPROCESSABLE'];

/** The visits; null where the part that counts them does not answer. */
async function visitsOf(request: SiteRequest): Promise<Visits | null> {
  const { days, range } = lastDays(new Date());
  const path = siteOf(request);
  const common = { range, where: pageViews };
  const aggregate = (query: object) =>
    request.call(insightsContract.aggregateSiteEvents, { path, body: { ...common, ...query } });
  try {
    const [daily, all, viewed] = await Promise.all([
      aggregate({ select: [{ column: 'datetime', interval: 'day' }, ...counts] }),
      aggregate({ select: counts }),
      aggregate({
        select: [{ column: 'page' }, ...counts],
        order: { by: { column: 'eventsCount' }, direction: 'desc' },
        limit: maxPages,
      }),
    ]);
    return {
      days: daysWithVisits(days, daily),
      visitors: valuesOf(all, 'visitorsCount')[0] ?? 0,
      pages: await namedPages(request, viewed),
    };
  } catch (error) {
    if (!unanswered.includes(failureOf(error).type)) throw error;
    return null;
  }
}

function visitsView(request: SiteRequest, found: Visits | null): VNode {
  const { words, locale } = request;
  const { visits } = words;
  if (!found) return <Notice kind="warning">{visits.unavailable}</Notice>;
  const numbers = new Intl.NumberFormat(locale);
  const views = found.days.reduce((sum, day) => sum + day.views, 0);
  if (views === 0) return <Empty>{visits.none}</Empty>;
  return (
    <>
      <dl class="visit-counts">
        <div class="views">
          <dt>{visits.views}</dt>
          <dd>{numbers.format(views)}</dd>
        </div>
        <div class="visitors">
          <dt>{visits.visitors}</dt>
          <dd>{numbers.format(found.visitors)}</dd>
        </div>
      </dl>
      <div class="panel">
        <VisitsChart days={found.days} words={words} locale={locale} />
      </div>
      {dayTable(request, found.days)}
      {found.pages.length > 0 && pageTable(request, found.pages)}
    </>
  );
}

interface TableProps {
  words: SiteRequest['words'];
  /** Names the first column. */
  first: string;
  rows: { key: VNode | string; views: number; visitors: number }[];
  locale: string;
}

function CountTable({ words: { visits }, first, rows, locale }: TableProps): VNode {
  const numbers = new Intl.NumberFormat(locale);
  return (
    <table class="counts">
      <thead>
        <tr>
          <th scope="col">{first}</th>
          <th scope="col">{visits.views}</th>
          <th scope="col">{visits.visitors}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, views, visitors }) => (
          <tr>
            <th scope="row">{key}</th>
            <td>{numbers.format(views)}</td>
            <td>{numbers.format(visitors)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function dayTable({ words, locale }: SiteRequest, days: readonly DayVisits[]): VNode {
  const name = dayNames(locale);
  const rows = [...days].reverse().map(({ day, ...counted }) => ({
    key: <time dateTime={day}>{name(day)}</time>,
    ...counted,
  }));
  return (
    <details class="panel">
      <summary>{words.visits.table}</summary>
      <CountTable words={words} locale={locale} first={words.visits.day} rows={rows} />
    </details>
  );
}

const pageTable = ({ words, locale }: SiteRequest, pages: readonly ViewedPage[]): VNode => (
  <Section title={words.visits.pages} id="pages">
    <CountTable
      words={words}
      locale={locale}
      first={words.visits.page}
      rows={pages.map(({ title, href, ...counted }) => ({
        key: href === undefined ? title : <a href={href}>{title}</a>,
        ...counted,
      }))}
    />
  </Section>
);
