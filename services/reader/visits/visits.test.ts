import { apiError, notFound } from '../../../shared/errors/errors.js';
import type { SiteVisit, VisitSite } from '../../sites/contract.js';
import { Visits } from './visits.js';

const anonymous = { given: {}, isAnonymous: true };

/** Visits that are answered by `answer`, with what was asked. */
function visitsOf(answer: (asked: VisitSite) => SiteVisit) {
  const asked: VisitSite[] = [];
  const call = async (_: unknown, body: VisitSite) => {
    asked.push(body);
    return answer(body);
  };
  return { visits: new Visits((() => call) as never), asked };
}

const site = (title: string) => ({ site: { title } }) as never;
const found = (key: string, known?: string): SiteVisit =>
  ({
    shown: { pathname: 'a', siteBasePath: '/sites/one/' },
    visitor: {},
    key,
    ...(known === key ? {} : { site: site(key) }),
  }) as never;

it('who asks for one address at the same time shares one question', async () => {
  const { visits, asked } = visitsOf(() => found('one'));
  await Promise.all(Array.from({ length: 50 }, () => visits.outcomeOf('a', 'https://docs.test/a', anonymous)));
  expect(asked).toHaveLength(1);
});

it('a site is sent once for all addresses, until it changes', async () => {
  let key = 'one';
  const { visits, asked } = visitsOf(({ known }) => found(key, known));
  const titleAt = async (address: string) => {
    const outcome = await visits.outcomeOf(address, `https://docs.test/sites/one/part/${address}`, anonymous);
    return 'visit' in outcome ? (outcome.visit.site as unknown as { site: { title: string } }).site.title : outcome;
  };
  expect([await titleAt('a'), await titleAt('b')]).toEqual(['one', 'one']);
  key = 'two';
  expect([await titleAt('c'), await titleAt('d')]).toEqual(['two', 'two']);
  expect(asked.map(({ known }) => known)).toEqual([undefined, 'one', 'one', 'two']);
});

it.each([
  [404, notFound('Published content')],
  [401, apiError('UNAUTHENTICATED', 'Visitors of this site need a token')],
])('a refusal of %s is an outcome', async (refused, error) => {
  const { visits } = visitsOf(() => {
    throw error;
  });
  expect(await visits.outcomeOf('a', 'https://docs.test/', anonymous)).toMatchObject({ refused });
});

it('a failure is no outcome, and the next one asks again', async () => {
  let isAway = true;
  const { visits, asked } = visitsOf(() => {
    if (isAway) throw apiError('UNAVAILABLE', 'away');
    return found('one');
  });
  await expect(visits.outcomeOf('a', 'https://docs.test/', anonymous)).rejects.toMatchObject({ message: 'away' });
  isAway = false;
  expect(await visits.outcomeOf('a', 'https://docs.test/', anonymous)).toHaveProperty('visit');
  expect(asked).toHaveLength(2);
});

it('10,000 addresses are not all kept', async () => {
  const { visits, asked } = visitsOf(({ known }) => found('one', known));
  for (let at = 0; at < 10_000; at++) await visits.outcomeOf(`${at}`, `https://docs.test/${at}`, anonymous);
  await visits.outcomeOf('0', 'https://docs.test/0', anonymous);
  expect(asked).toHaveLength(10_001);
});
