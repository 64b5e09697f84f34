import { eventually } from '../../../shared/testing/eventually.js';
import type { Report } from '../report.js';
import { isLost, isUnknown, type Load, type Sample, type Written } from './load.js';
import { walk } from './scene.js';

const isDone = (status: number) => status >= 200 && status < 300;

const counted = <T>(items: T[]): Map<T, number> => {
  const counts = new Map<T, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
};

/** `status: count` of each, such as `200: 812, 503: 4`. */
export const tally = (samples: Sample[]): string =>
  [...counted(samples.map(({ sent }) => sent.status))]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status === 0 ? 'no answer' : status}: ${count}`)
    .join(', ');

type Fate = 'acknowledged' | 'refused' | 'unknown';

/** How often a write may be there. A repeated write that is refused in the end may still have been applied before. */
const bounds: Record<Fate, [least: number, most: number]> = { acknowledged: [1, 1], refused: [0, 0], unknown: [0, 1] };

function fateOf({ status, isRepeated, isLost }: Written): Fate {
  if (isDone(status) || isLost) return 'acknowledged';
  return isRepeated || isUnknown(status) ? 'unknown' : 'refused';
}

/** Compares the ledger with what is there: every acknowledged write once, refused ones never, unknown ones at most once. */
export async function checkLedger(load: Load, phase: string, report: Report): Promise<void> {
  const problems: string[] = [];
  const totals: Record<Fate, number> = { acknowledged: 0, refused: 0, unknown: 0 };
  for (const { service, names } of load.kinds) {
    const there = counted(await names());
    for (const written of load.ledger.filter((each) => each.service === service)) {
      const { name, status } = written;
      const times = there.get(name) ?? 0;
      const fate = fateOf(written);
      const [least, most] = bounds[fate];
      totals[fate] += 1;
      if (times < least || times > most) problems.push(`${name} was answered ${status} and is there ${times} times`);
    }
  }
  const { acknowledged, refused, unknown } = totals;
  const repeated = load.ledger.filter(({ isRepeated }) => isRepeated).length;
  const text = `writes: ${acknowledged} acknowledged (${repeated} when repeated) are there once, ${refused} refused are not, ${unknown} unknown`;
  report.promise(phase, [text, ...problems.slice(0, 5)].join('\n         '), problems.length === 0);
}

/** Every space that was acknowledged comes to the audit trail once, by an event of content. */
export async function checkAudit(load: Load, phase: string, report: Report): Promise<void> {
  const { client, organization } = load.scene;
  const path = `/v1/orgs/${organization}/audit-events`;
  const wanted = load.ledger.filter(({ service, status }) => service === 'content' && isDone(status)).length;
  const recorded = async () =>
    (await walk(client, path, '&operation=createSpace')).map(
      ({ resource }: { resource: { id: string } }) => resource.id,
    );
  const ids = await eventually(`${wanted} spaces in the audit trail`, recorded, ({ length }) => length >= wanted);
  const twice = ids.length - new Set(ids).size;
  report.promise(phase, `audit: ${ids.length} records of ${wanted} spaces, ${twice} twice`, twice === 0);
}

interface Answers {
  reads: number[];
  writes: number[];
}

/** No answer is any other than these. Where answers may be lost, a gateway that repeats a write may be told that the first one was. */
export function checkAnswers(samples: Sample[], { reads, writes }: Answers, [phase, report]: [string, Report]): void {
  for (const [what, isRead, allowed] of [
    ['reads', true, reads],
    ['writes', false, writes],
  ] as const) {
    const asked = samples.filter((sample) => sample.isRead === isRead);
    const isAllowed = ({ sent }: Sample) => allowed.includes(sent.status) || (allowed.includes(504) && isLost(sent));
    const wrong = asked.filter((sample) => !isDone(sample.sent.status) && !isAllowed(sample));
    const shown = [
      ...new Set(wrong.map(({ service, sent }) => `${service} ${sent.status} ${sent.body}`.slice(0, 200))),
    ];
    const text = `${what}: ${tally(asked)}`;
    report.promise(phase, [text, ...shown.slice(0, 5)].join('\n         '), wrong.length === 0);
  }
  report.note(phase, `longest answer: ${Math.round(Math.max(...samples.map(({ sent }) => sent.ms)))} ms`);
  const bare = samples.filter(({ sent }) => sent.status === 503 && sent.retryAfter === null).length;
  if (bare > 0) report.promise(phase, `${bare} answers with 503 have no Retry-After`, false);
}

export const percentile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0;
